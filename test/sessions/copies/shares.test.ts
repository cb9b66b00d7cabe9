import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { shareSchema } from '../../../domain/chat/shares.ts'
import type { StoredMessage } from '../../../domain/chat/messages.ts'
import { acceptRun, fillChat, say } from '../../world/sessions/session-rows.ts'
import {
  openSession,
  owner,
  outsider,
  useSessionWorld,
  world,
  type OwnedSession,
} from '../../world/sessions/session-world.ts'

useSessionWorld()

const shareResponse = z.object({ share: shareSchema.strict(), url: z.url() })

const sharesPath = ({ path, chatId }: OwnedSession): string => `${path}/${chatId}/shares`
const tryShare = (session: OwnedSession, body: object = {}) =>
  world.request('POST', sharesPath(session), { key: session.account.key, body })
const share = async (session: OwnedSession, body: object = {}) => {
  const response = await tryShare(session, body)
  expect(response.status).toBe(200)
  return shareResponse.parse(response.body)
}

const read = async (url: string) => {
  const response = await fetch(url.replace(/^https?:\/\/[^/]+/, world.baseUrl))
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const hostile = [
  '# Big',
  '<script>alert(1)</script><img src="https://evil.test/p.png" onerror="alert(2)"><style>*{color:red}</style>',
  '[bad](javascript:alert(3)) [good](https://example.com/?a=1&b=2) ![picture](https://evil.test/q.png)',
  '| a | b |\n| - | - |\n| 1 | 2 |',
  '```js\nconst answer = "<b>42</b>"\n```',
].join('\n\n')

const messages = (): StoredMessage[] => [
  { ...say('<b>Plan</b> a tour\nof five cities'), id: 'q1' },
  {
    ...say('', 'assistant'),
    id: 'a1',
    parts: [
      { type: 'step-start' },
      { type: 'reasoning', text: 'secret thought' },
      {
        type: 'tool-bash',
        toolCallId: 'call_1',
        state: 'output-available',
        input: { command: 'cat secret-input' },
        output: { stdout: 'secret-output </pre><script>' },
      },
      { type: 'text', text: hostile },
      { type: 'file', mediaType: 'image/png', filename: 'map.png', url: 'https://blobs.test/secret-file' },
      { type: 'source-url', sourceId: 's', url: 'https://example.com/source', title: 'A source' },
    ],
  },
]

const openFilledChat = async (): Promise<OwnedSession> => {
  const session = await openSession()
  await fillChat(world.db, session.chatId, messages())
  await world.db`update chats set title = 'Tour <plan>' where id = ${session.chatId}`
  return session
}

describe('a shared chat', () => {
  let page: Awaited<ReturnType<typeof read>>
  beforeAll(async () => {
    page = await read((await share(await openFilledChat())).url)
  })

  test('shows the texts of the messages and the names of the tools that ran', () => {
    expect(page.status).toBe(200)
    expect(page.text).toContain('<h1>Tour &lt;plan&gt;</h1>')
    expect(page.text).toContain('&lt;b&gt;Plan&lt;/b&gt; a tour<br />of five cities')
    expect(page.text).toContain('Used the tool bash.')
    expect(page.text).toContain('File: map.png')
    expect(page.text).toContain('href="https://example.com/source"')
    expect(page.text).not.toMatch(/secret/)
  })

  test('renders no script, style, image or unsafe URL from its text', () => {
    const visibleText = page.text.replace(/<style>[^]*?<\/style>/, '')
    expect(visibleText).not.toMatch(/<script|<img|<style|<iframe|onerror=|javascript:|evil\.test/)
    expect(visibleText).toContain('<h3>Big</h3>')
    expect(visibleText).toContain('<span>picture</span>')
    expect(visibleText).toContain('href="https://example.com/?a=1&amp;b=2" rel="noopener noreferrer nofollow"')
    expect(visibleText).toContain('const answer = "&lt;b&gt;42&lt;/b&gt;"')
    expect(visibleText).toContain('<div class="scroll" tabindex="0"><table>')
  })

  test('loads no resource, cannot be framed or cached, and sends no referrer', () => {
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy.split(';').map((rule) => rule.replace(/'sha256-[^']+'/, 'HASH'))).toEqual([
      "default-src 'none'",
      'style-src HASH',
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'private, no-store',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    })
  })
})

test.each([
  ['10 KB', 2000],
  ['44 KB', 10_500],
])('a shared chat shows an oversized table of %s as plain text and does not delay other requests', async (_, rows) => {
  const [session, other] = [await openSession(), await world.makeAccount()]
  const table = `|${'a|'.repeat(500)}\n|${'-|'.repeat(500)}\n${'|a|\n'.repeat(rows)}`
  await fillChat(world.db, session.chatId, [{ ...say(table, 'assistant'), id: 'a1' }])
  const { url } = await share(session)
  const utilizationBefore = performance.eventLoopUtilization()
  const reading = Promise.all(Array.from({ length: 20 }, () => read(url)))
  const startMs = performance.now()
  for (let read = 0; read < 10; read++)
    expect((await world.request('GET', '/api/sessions', { key: other.key })).status).toBe(200)
  // A renderer that pads each row to the width of the header needs 10 to 100 seconds.
  expect(performance.now() - startMs).toBeLessThan(8000)
  const pages = await reading
  expect(performance.eventLoopUtilization(utilizationBefore).active).toBeLessThan(5000)
  for (const { status, text } of pages) {
    expect([status, text.includes('|a|')]).toEqual([200, true])
    expect(text).not.toContain('<td')
    expect(text.length).toBeLessThan(3 * table.length)
  }
})

test('a shared chat is rendered once for all readers, and is unavailable after its link is deleted', async () => {
  const session = await openFilledChat()
  const { share: shareResponse, url } = await share(session)
  const first = await read(url)
  // The stored parts are not read again for a rendered page.
  await world.db`update chat_message_parts set part = ${'{"type":"text","text":"other"}'}::text::json where chat_id = ${session.chatId}`
  expect(await read(url)).toEqual({ ...first, headers: expect.anything() })
  await world.request('DELETE', `${sharesPath(session)}/${shareResponse.id}`, { key: owner.key })
  expect((await read(url)).status).toBe(404)
})

test('a shared chat shows inputs and outputs of tools only if toolOutputs is set, and never the reasoning', async () => {
  const { share: shareResponse, url } = await share(await openFilledChat(), { toolOutputs: true })
  expect(shareResponse.toolOutputs).toBe(true)
  const { text } = await read(url)
  expect(text).toContain('secret-input')
  expect(text).toContain('secret-output &lt;/pre&gt;&lt;script&gt;')
  expect(text).not.toContain('secret thought')
})

test('a link shows the chat as it was when the link was created, without later messages or parts of an answer', async () => {
  const session = await openFilledChat()
  const { url } = await share(session)
  const earlierShare = await share(session, { messageId: 'q1' })
  await fillChat(world.db, session.chatId, [say('said later')])
  await world.db`
    insert into chat_message_parts (chat_id, message_id, position, part)
    values (${session.chatId}, 'a1', 6, ${'{"type":"text","text":"went on later"}'}::text::json)`
  expect((await read(url)).text).not.toMatch(/said later|went on later/)
  expect((await read(earlierShare.url)).text).not.toContain('Used the tool')
})

test('a link shows the end of a long chat first, and earlier messages page by page', async () => {
  const session = await openSession()
  const storedMessages = Array.from({ length: 120 }, (_, index) => say(`words-${index}-`))
  await fillChat(world.db, session.chatId, storedMessages)
  const { url } = await share(session)
  const pagedTexts: string[] = []
  for (let query: string | undefined = ''; query !== undefined;) {
    const { status, text } = await read(url + query)
    expect(status).toBe(200)
    pagedTexts.unshift(...(text.match(/words-\d+-/g) ?? []))
    query = /href="(\?before=[^"]+)">Earlier messages/.exec(text)?.[1]
  }
  expect(pagedTexts).toEqual(storedMessages.map((_, index) => `words-${index}-`))
  expect((await read(`${url}?before=absent`)).status).toBe(404)
})

test('a link that is revoked, expired or without its chat returns the same response as a missing link', async () => {
  const session = await openFilledChat()
  const [revoked, expired, deleted] = [await share(session), await share(session), await share(session)]
  const path = `${sharesPath(session)}/${revoked.share.id}`
  expect(await world.request('DELETE', path, { key: owner.key })).toMatchObject({
    status: 200,
    body: { success: true },
  })
  expect((await world.request('DELETE', path, { key: owner.key })).status).toBe(404)
  await world.db`update chat_shares set expires_at = now() where id = ${expired.share.id}`
  const missing = await read(`${world.baseUrl}/share/${'x'.repeat(43)}`)
  expect([missing.status, missing.headers.get('content-security-policy')]).toEqual([
    404,
    expect.stringContaining("'none'"),
  ])
  expect(missing.text).toContain('Link not available')
  for (const { url } of [revoked, expired]) expect((await read(url)).text).toBe(missing.text)
  expect((await read(deleted.url)).status).toBe(200)
  await world.request('DELETE', `/api/sessions/${session.sessionId}`, { key: owner.key })
  expect((await read(deleted.url)).text).toBe(missing.text)
})

test('the token is returned once and not stored', async () => {
  const session = await openFilledChat()
  const { share: shareResponse, url } = await share(session, { expiresInDays: 2 })
  const days = (Date.parse(shareResponse.expiresAt) - Date.parse(shareResponse.createdAt)) / 86_400_000
  expect(days).toBeCloseTo(2)
  const token = url.split('/').at(-1) ?? ''
  expect(token).toMatch(/^[\w-]{43}$/)
  const { body } = await world.request<{ shares: object[] }>('GET', sharesPath(session), { key: owner.key })
  expect(body.shares).toEqual([shareResponse])
  const rows = await world.db`select to_jsonb(chat_shares)::text as row from chat_shares`
  expect(JSON.stringify(rows)).not.toContain(token)
})

test('an unfinished message cannot be shared', async () => {
  const session = await openFilledChat()
  const { chatId, sessionId } = session
  const runId = await acceptRun(world.db, { accountId: owner.id, sessionId, chatId })
  const [run] = await world.db<{ id: string }[]>`select assistant_message_id as id from runs where id = ${runId}`
  await fillChat(world.db, chatId, [{ ...say('so f', 'assistant'), id: run?.id ?? '' }])
  expect(await tryShare(session)).toMatchObject({ status: 409, body: { error: 'This message is still being written' } })
  expect((await share(session, { messageId: 'a1' })).share.messageId).toBe('a1')
})

test('only the owner can create and list the links of a chat, of which there are at most fifty', async () => {
  const session = await openFilledChat()
  const otherCaller = { ...session, account: outsider }
  expect((await tryShare(otherCaller)).status).toBe(403)
  expect((await world.request('GET', sharesPath(session), { key: outsider.key })).status).toBe(403)
  const { share: first } = await share(session)
  const path = `${sharesPath(session)}/${first.id}`
  expect((await world.request('DELETE', path, { key: outsider.key })).status).toBe(403)
  const other = await openFilledChat()
  expect((await world.request('DELETE', `${sharesPath(other)}/${first.id}`, { key: owner.key })).status).toBe(404)
  await world.db`
    insert into chat_shares (token_hash, chat_id, last_position, last_message_id, last_parts, expires_at)
    select 'h' || place, ${session.chatId}, 1, 'a1', 1, now() from generate_series(2, 50) as place`
  expect(await tryShare(session)).toMatchObject({ status: 409, body: { error: 'A chat has at most 50 links' } })
})

test.each([
  ['expiresInDays', { expiresInDays: 0 }],
  ['expiresInDays', { expiresInDays: 366 }],
  ['messageId', { messageId: 'absent' }],
  ['branch', { branch: 'absent' }],
])('an invalid %s is rejected', async (member, body) => {
  expect(await tryShare(await openFilledChat(), body)).toMatchObject({
    status: 400,
    body: { missing_fields: [member] },
  })
})
