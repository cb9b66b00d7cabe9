import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { creditAccount, debitAccount, refundDebit } from '../../db/credits/ledger.ts'
import { createWorld, type TestAccount, type World } from '../world/world.ts'

type Usage = {
  events: { id: string; credits: number; kind: string; usd: string }[]
  next_cursor: string | null
  total_credits_deducted: number
  total_usd: string
  period: { from: string; to: string }
  series_bucket?: string
  series?: { start: string; credits: number; by_source: { web: number; api: number } }[]
}

let world: World
let account: TestAccount
beforeAll(async () => {
  world = await createWorld({ worker: false })
  account = await world.makeAccount()
})
afterAll(() => world.close())

const usage = (id: string, query = '', key = account.key) =>
  world.request<Usage>('GET', `/api/accounts/${id}/usage${query}`, { key })
const spend = async (id: string, amounts: number[]): Promise<void> => {
  for (const [index, amount] of amounts.entries())
    await world.db.begin((tx) =>
      debitAccount(tx, {
        accountId: id,
        amount,
        reference: `chat:${id}:${index}`,
        usage: {
          source: 'web',
          agentType: 'main',
          provider: 'local',
          modelId: 'local/assistant',
          inputTokens: 10,
          cachedInputTokens: 4,
          outputTokens: 2,
          toolCallCount: 1,
          resourceUrl: '/chat/1',
        },
      }),
    )
}
const readAllPages = async (id: string, key: string, query: string): Promise<Usage[]> => {
  const pages: Usage[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { status, body }: { status: number; body: Usage } = await usage(id, `${query}&cursor=${cursor}`, key)
    expect(status).toBe(200)
    pages.push(body)
    cursor = body.next_cursor
  }
  return pages
}

describe('GET /api/accounts/{id}/usage', () => {
  test('lists charges and refunds, newest first, without purchases', async () => {
    const { id, key } = await world.makeAccount({ credits: 1000 })
    await spend(id, [51_740])
    await world.db.begin((tx) => refundDebit(tx, { accountId: id, reference: `chat:${id}:0` }))
    await world.db.begin((tx) =>
      creditAccount(tx, { accountId: id, amount: 5, reference: `topup:${id}`, kind: 'topup' }),
    )
    const { body } = await usage(id, '', key)
    expect(body).toMatchObject({ account_id: id, total_credits_deducted: 0, total_usd: '0.000000', next_cursor: null })
    expect(body.events).toHaveLength(2)
    expect(body.events[0]).toMatchObject({
      id: `refund:chat:${id}:0`,
      kind: 'refund',
      credits: -51_740,
      usd: '-0.051740',
    })
    expect(body.events[1]).toEqual({
      id: `chat:${id}:0`,
      kind: 'charge',
      credits: 51_740,
      usd: '0.051740',
      source: 'web',
      agent_type: 'main',
      provider: 'local',
      model_id: 'local/assistant',
      input_tokens: 10,
      cached_input_tokens: 4,
      output_tokens: 2,
      tool_call_count: 1,
      resource_url: '/chat/1',
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    })
    expect(new Date(body.period.from).getUTCDate()).toBe(1)
  })

  test('has stable pages by time and by cost', async () => {
    const { id, key } = await world.makeAccount({ credits: 1000 })
    const amounts = [5, 9, 5, 5, 1, 9, 7]
    await spend(id, amounts)
    const byTime = await readAllPages(id, key, '?limit=2')
    expect(byTime.map(({ events }) => events.length)).toEqual([2, 2, 2, 1])
    expect(byTime.flatMap(({ events }) => events.map((event) => event.credits))).toEqual(amounts.toReversed())
    expect(new Set(byTime.map(({ period }) => period.to)).size).toBe(1)
    expect(byTime.map(({ total_credits_deducted }) => total_credits_deducted)).toEqual([41, 41, 41, 41])
    expect(byTime.map(({ series }) => series === undefined)).toEqual([false, true, true, true])
    const byCost = (await readAllPages(id, key, '?limit=3&sort=cost')).flatMap(({ events }) => events)
    expect(byCost.map((event) => event.credits)).toEqual([9, 9, 7, 5, 5, 5, 1])
    expect(new Set(byCost.map((event) => event.id)).size).toBe(7)
  })

  test('sums by hour, day or week', async () => {
    const { id, key } = await world.makeAccount({ credits: 1000 })
    await spend(id, [3, 4])
    await world.db`
      update usage_events set created_at = '2031-01-06T23:30:00Z' where reference = ${`chat:${id}:0`}`
    await world.db`
      update usage_events set created_at = '2031-01-08T00:30:00Z', source = 'api' where reference = ${`chat:${id}:1`}`
    const readSeries = async (from: string, to: string) => {
      const { body } = await usage(id, `?from=${from}T00:00:00Z&to=${to}T00:00:00Z`, key)
      return [body.series_bucket, body.series?.length, body.series?.filter((bucket) => bucket.credits > 0)]
    }
    expect(await readSeries('2031-01-06', '2031-01-08')).toEqual([
      'hour',
      49,
      [{ start: '2031-01-06T23:00:00.000Z', credits: 3, by_source: { web: 3, api: 0 } }],
    ])
    expect(await readSeries('2031-01-06', '2031-01-20')).toEqual([
      'day',
      15,
      [
        { start: '2031-01-06T00:00:00.000Z', credits: 3, by_source: { web: 3, api: 0 } },
        { start: '2031-01-08T00:00:00.000Z', credits: 4, by_source: { web: 0, api: 4 } },
      ],
    ])
    expect(await readSeries('2031-01-01', '2031-06-01')).toEqual([
      'week',
      22,
      [{ start: '2031-01-06T00:00:00.000Z', credits: 7, by_source: { web: 3, api: 4 } }],
    ])
    const { body } = await usage(id, '?from=2031-01-07T01:00:00%2B02:00&to=2031-01-08T00:00:00Z', key)
    expect(body).toMatchObject({ total_credits_deducted: 3, period: { from: '2031-01-06T23:00:00.000Z' } })
  })

  test.each([
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?sort=id', 'sort'],
    ['?from=yesterday', 'from'],
    ['?from=2031-01-02T00:00:00Z&to=2031-01-01T00:00:00Z', 'from'],
    ['?from=2030-01-01T00:00:00Z&to=2031-01-02T00:00:00.001Z', 'from'],
    ['?cursor=abc', 'cursor'],
    ['?cursor=e30.abc', 'cursor'],
  ])('rejects %s', async (query, field) => {
    expect(await usage(account.id, query)).toMatchObject({ status: 400, body: { missing_fields: [field] } })
  })

  test('rejects a cursor of another account or query, and an altered cursor', async () => {
    const [one, other] = [await world.makeAccount(), await world.makeAccount()]
    await spend(one.id, [1, 2, 3])
    const cursor = (await usage(one.id, '?limit=1', one.key)).body.next_cursor ?? ''
    const status = async (id: string, query: string, key: string) => (await usage(id, query, key)).status
    expect(await status(one.id, `?limit=5&cursor=${cursor}`, one.key)).toBe(200)
    expect(await status(one.id, `?sort=cost&cursor=${cursor}`, one.key)).toBe(400)
    expect(await status(one.id, `?from=2031-01-01T00:00:00Z&to=2031-01-02T00:00:00Z&cursor=${cursor}`, one.key)).toBe(
      400,
    )
    expect(await status(other.id, `?cursor=${cursor}`, other.key)).toBe(400)
    const [position = '', signature = ''] = cursor.split('.')
    const altered = Buffer.from(position, 'base64url').toString().replace('"key":', '"key":1')
    expect(await status(one.id, `?cursor=${Buffer.from(altered).toString('base64url')}.${signature}`, one.key)).toBe(
      400,
    )
  })
})
