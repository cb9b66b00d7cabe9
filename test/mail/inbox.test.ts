import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inboxRoutes } from '../../api/embedded/inbox.ts'
import type { Config } from '../../config.ts'
import { trimInbox } from '../../db/mail/inbox.ts'
import { createWorld, type TestAccount, type World } from '../world/world.ts'
import { inboxPath, listMails, readMail } from './inbox.ts'

let world: World
let owner: TestAccount
let path: string

beforeAll(async () => {
  world = await createWorld({ worker: false })
  owner = await world.makeAccount()
  path = inboxPath(world)
})
afterAll(() => world.close())

const send = async (body: object, { key } = owner): Promise<string> =>
  (await world.request<{ id: string }>('POST', '/api/emails', { key, body })).body.id

const readPolicy = (headers: Headers): string => headers.get('content-security-policy') ?? ''

describe('the inbox', () => {
  test('lists the emails of a recipient newest first, page by page', async () => {
    const account = await world.makeAccount()
    for (const text of ['first', 'second', 'third']) await send({ text }, account)
    const subjects = async (query: string) => {
      const listResponse = await world.request<{ messages: { subject: string }[] }>('GET', `${path}?${query}`, {
        headers: { accept: 'application/json' },
      })
      return listResponse.body.messages.map(({ subject }) => subject)
    }
    const to = `to=${encodeURIComponent(account.email.toUpperCase())}`
    expect(await subjects(to)).toEqual(['third', 'second', 'first'])
    expect(await subjects(`${to}&limit=1&offset=1`)).toEqual(['second'])
    expect(await subjects(`${to}&offset=10`)).toEqual([])
    expect(await subjects('limit=1')).toEqual(['third'])
    expect((await listMails(world, account.email))[0]).toMatchObject({
      to: [account.email],
      from: 'Backline Agent <agent@backline.localhost>',
      text: expect.stringContaining('third') as string,
    })
  })

  test('is shown to browsers as a page without scripts', async () => {
    const account = await world.makeAccount()
    const subject = '<script>alert(1)</script>'
    const id = await send({ subject, text: 'a <b>b</b>' }, account)
    const browser = { headers: { accept: 'text/html,application/xhtml+xml,*/*' } }
    const list = await world.request('GET', `${path}?to=${encodeURIComponent(`${account.email}"><script>`)}`, browser)
    expect(list.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const all = await world.request('GET', path, browser)
    const single = await world.request('GET', `${path}/${id}`, browser)
    for (const { text, headers } of [list, all, single]) {
      expect(text).not.toContain('<script')
      expect(readPolicy(headers)).toContain("default-src 'none'")
      expect(readPolicy(headers)).not.toContain('script-src')
      // With `no-referrer`, the reply form would have no origin and be rejected.
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('cache-control')).toBe('private, no-store')
    }
    expect(all.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(single.text).toContain(`<iframe sandbox title="The email as HTML" src="${path}/${id}/html">`)
  })

  test('shows an email on a separate page without an origin, scripts or network access', async () => {
    const id = await send({ text: 'a **b**' })
    const part = await world.request('GET', `${path}/${id}/html`)
    expect(part.text).toContain('<strong>b</strong>')
    expect(readPolicy(part.headers)).toMatch(/^sandbox; default-src 'none';/)
  })

  test('returns the whole email as JSON', async () => {
    const id = await send({ text: 'words', headers: { 'X-A': 'b' } })
    const mail = await readMail(world, id)
    expect(mail).toMatchObject({ id, to: [owner.email], cc: [], subject: 'words' })
    expect(mail.html).toContain('<p>words</p>')
    expect(mail.headers).toContainEqual({ name: 'x-a', value: 'b' })
  })

  test('is not found without its token', async () => {
    const id = await send({ text: 'a' })
    for (const invalidPath of ['/inbox', '/inbox/x', `/inbox/x/${id}`, `/inbox/x/${id}/html`, `${path}x`, `${path}/x`])
      expect([invalidPath, (await world.request('GET', invalidPath, { key: owner.key })).status]).toEqual([
        invalidPath,
        404,
      ])
    expect((await world.request('GET', `${path}/${randomUUID()}`)).status).toBe(404)
    expect((await world.request('GET', `${path}?limit=0`)).status).toBe(400)
  })

  test('retains only the newest emails', async () => {
    const account = await world.makeAccount()
    for (const text of ['old', 'new', 'newer']) await send({ text }, account)
    await trimInbox(world.db, 2)
    expect((await listMails(world, account.email)).map(({ subject }) => subject)).toEqual(['newer', 'new'])
  })
})

const routesWith = (changes: Partial<Config>) => inboxRoutes({ ...world.deps, config: { ...world.config, ...changes } })

test('the inbox exists only in development with the embedded provider', () => {
  expect(routesWith({})).toHaveLength(4)
  expect(routesWith({ PRODUCTION_MODE: true })).toEqual([])
  expect(routesWith({ MAIL_PROVIDER: 'smtp' })).toEqual([])
})
