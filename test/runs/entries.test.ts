import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChatApi, type OpenChat } from '../chat/chat-api.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'
import { createRunsApi } from './runs-api.ts'

const { timeline } = createRunsApi(() => world)

type Text = { text: string | null; totalCharacters: number; nextOffset: number | null }

let world: World
let chat: OpenChat
let runId: string
beforeAll(async () => {
  world = await createWorld()
  chat = await createChatApi(world).openChat()
  const prompt = `$ printf 'x%.0s' $(seq 5000)\n---\n@say all-done`
  runId = await runPrompt(prompt)
})
afterAll(() => world.close())

const runPrompt = async (prompt: string): Promise<string> => {
  const body = { chatId: chat.chatId, prompt }
  const startResponse = await world.request<{ runId: string }>('POST', '/api/chat/runs', {
    key: chat.account.key,
    body,
  })
  await eventually('the end of the run', async () => {
    const { run } = await timeline(chat.account, startResponse.body.runId)
    return run.endedAt === null ? undefined : run
  })
  return startResponse.body.runId
}

const readEntry = (
  entryId: string,
  query: Record<string, string>,
  account: TestAccount = chat.account,
  readRunId = runId,
) =>
  world.request<Text>(
    'GET',
    `/api/runs/${readRunId}/entries/${encodeURIComponent(entryId)}?${new URLSearchParams(query).toString()}`,
    { key: account.key },
  )

test('the whole input and output of a call can be read in parts', async () => {
  const { entries } = await timeline(chat.account, runId)
  const call = entries.find(({ kind }) => kind === 'tool')
  expect(call?.output).toHaveLength(2000)
  const id = call?.id ?? ''
  expect((await readEntry(id, { part: 'input' })).body.text).toContain('printf')
  let whole = ''
  for (let offset: number | null = 0; offset !== null;) {
    const { body } = await readEntry(id, { part: 'output', offset: String(offset), limit: '1999' })
    whole += body.text ?? ''
    offset = body.nextOffset
  }
  expect((JSON.parse(whole) as { stdout: string }).stdout.trim()).toBe('x'.repeat(5000))
})

test('a step shows its prompt, its answer and the time to its first output', async () => {
  const { entries } = await timeline(chat.account, runId)
  const steps = entries.filter(({ kind }) => kind === 'step')
  expect(steps.map(({ id, name }) => [id, name])).toEqual([
    ['step:0', '1'],
    ['step:1', '2'],
  ])
  for (const { model, attempt } of steps) {
    expect(model?.firstOutputMs).toBeGreaterThanOrEqual(0)
    expect(attempt).toBe(1)
  }
  expect((await readEntry('step:0', { part: 'input' })).body.text).toContain('printf')
  expect((await readEntry('step:1', { part: 'input' })).body.text).toMatch(/^bash: .*xxxx/)
  expect((await readEntry('step:1', { part: 'output' })).body).toEqual({
    text: 'all-done',
    totalCharacters: 8,
    nextOffset: null,
  })
  expect((await readEntry('step:1', { part: 'reasoning' })).body.text).toBeNull()
})

test('each turn of a chat has its own input and output', async () => {
  const second = await runPrompt('@say second-answer')
  expect((await readEntry('step:0', { part: 'input' }, chat.account, second)).body.text).toBe('@say second-answer')
  expect((await readEntry('step:0', { part: 'output' }, chat.account, second)).body.text).toBe('second-answer')
})

test('an unknown entry, an entry of another account and an invalid part are rejected', async () => {
  const outsider = await world.makeAccount()
  expect((await readEntry('step:0', { part: 'input' }, outsider)).status).toBe(404)
  for (const id of ['step:99', 'tool:none', 'commit', 'step:x', 'attempt:1', `tool:a'--`])
    expect([id, (await readEntry(id, { part: 'input' })).status]).toEqual([id, 404])
  expect((await readEntry('step:0', { part: 'all' })).status).toBe(400)
  expect((await readEntry('step:0', { part: 'input', limit: '0' })).status).toBe(400)
})
