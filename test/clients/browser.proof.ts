import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { ensureChromium } from '../../dev/system/chromium.ts'
import { print } from '../../dev/say.ts'
import { createChatApi, userMessage, type OpenChat } from '../chat/chat-api.ts'
import { startProxy, type FaultProxy } from '../crash/cluster/proxy.ts'
import { readTranscript } from '../world/transcript.ts'
import { createWorld, eventually, type World } from '../world/world.ts'
import type { UIMessage } from 'ai'
import { startWebApp, type WebApp } from './web-app.ts'
import { comparableMessage } from './headless.ts'

type PageState = { frames: { index: number; body: string }[]; opened: number; end: '' | 'done' | 'closed' }

let world: World
let chatApi: ReturnType<typeof createChatApi>
let folder: string
let browser: BrowserContext | undefined
let chat: OpenChat
let webApp: WebApp
let page: Page
let proxy: FaultProxy

beforeAll(async () => {
  const executablePath = await ensureChromium(print)
  folder = await mkdtemp(join(tmpdir(), 'backline-browser-'))
  if (executablePath === undefined) return
  world = await createWorld({ settings: { LOCAL_MODEL_WORDS_PER_SECOND: '40' } })
  chatApi = createChatApi(world)
  const quietFlags = [
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ]
  browser = await chromium.launchPersistentContext(folder, {
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', ...quietFlags],
  })
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await world?.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async ({ skip }) => {
  if (browser === undefined) {
    skip('there is no Chromium')
    return
  }
  chat = await chatApi.openChat()
  webApp = await startWebApp(world.baseUrl, () => chat.account.key)
  proxy = await startProxy({ port: Number(new URL(world.baseUrl).port) })
  page = await browser.newPage()
  await page.goto(webApp.baseUrl)
})
afterEach(async () => {
  await page?.close()
  await webApp?.close()
  await proxy?.close()
})

const follow = (): Promise<unknown> => page.evaluate(`globalThis.seen = follow('/events/${chat.chatId}'); null`)
const readState = (): Promise<PageState> => page.evaluate<PageState>('seen')
const untilState = (description: string, isExpected: (state: PageState) => boolean): Promise<PageState> =>
  eventually(description, async () => [await readState()].find(isExpected))

test('EventSource reconnects automatically and receives the log without a gap', async () => {
  const watching = readTranscript(await chatApi.post(chat, '@think So\n@words 400\n$ echo done'))
  await follow()
  await untilState('the first frames', ({ frames }) => frames.length >= 10)
  webApp.cut()
  const { frames } = await untilState('the second connection', ({ opened }) => opened === 2)
  await untilState('more frames', (now) => now.frames.length >= frames.length + 10)
  webApp.cut()
  const { frames: received, end, opened } = await untilState('the end', ({ end }) => end !== '')
  const whole = await watching
  expect([end, opened]).toEqual(['done', 3])
  expect(received).toEqual(whole.frames)
  expect(webApp.lastEventIds[0]).toBeUndefined()
  expect(
    webApp.lastEventIds
      .slice(1)
      .map(Number)
      .every((id, index) => id >= 9 + 10 * index),
  ).toBe(true)
})

test('EventSource does not reconnect without an active run', async () => {
  await chatApi.send(chat, '@say Over.')
  await follow()
  expect(await untilState('the end', ({ end }) => end !== '')).toEqual({ frames: [], opened: 0, end: 'closed' })
  expect(webApp.lastEventIds).toHaveLength(1)
})

/** Playwright runs this function on the page, where only its argument is in scope. */
const useCrossOrigin = async ({
  api,
  key,
  chatId,
  body,
}: {
  api: string
  key: string
  chatId: string
  body: string
}) => {
  const headers = { 'x-api-key': key }
  const sent = await fetch(`${api}/api/chat`, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      'idempotency-key': 'page-1',
      'x-request-id': 'page-1',
    },
    body,
  })
  const reader = sent.body!.getReader()
  await reader.read()
  await reader.cancel()
  const stream = `${api}/api/chat/${chatId}/stream`
  const resumed = await fetch(stream, { headers: { ...headers, 'last-event-id': '1' } })
  const stopped = await fetch(`${api}/api/chat/${chatId}/stop`, { method: 'POST', headers })
  const refused = await fetch(stream, { headers: { 'x-api-key': 'wrong' } })
  return {
    sent: [sent.status, Object.fromEntries(sent.headers)] as const,
    resumed: [resumed.status, Object.fromEntries(resumed.headers)] as const,
    rest: await resumed.text(),
    stopped: [stopped.status, await stopped.json()],
    refused: [refused.status, await refused.json()],
  }
}

test('a page of another origin sends a message, reads response headers, disconnects, resumes and stops the turn', async () => {
  const body = { chatId: chat.chatId, sessionId: chat.sessionId, messages: [userMessage('@words 400')] }
  const request = { api: world.baseUrl, key: chat.account.key, chatId: chat.chatId, body: JSON.stringify(body) }
  const { sent, resumed, rest, stopped, refused } = await page.evaluate(useCrossOrigin, request)
  const runId = sent[1]['x-workflow-run-id']
  expect(sent).toMatchObject([200, { 'x-request-id': 'page-1', 'ratelimit-limit': expect.stringMatching(/^\d+$/) }])
  expect(runId).toMatch(/^wrun_/)
  expect(resumed).toMatchObject([
    200,
    { 'x-workflow-run-id': runId, 'x-workflow-stream-tail-index': expect.any(String) },
  ])
  expect(rest).toMatch(/^id: 2\n/)
  expect(rest).toMatch(/"finish".*\n\ndata: \[DONE\]\n\n$/)
  expect(stopped).toEqual([200, { success: true, stopped: true }])
  expect(refused).toEqual([401, expect.objectContaining({ status: 'error' })])
})

const untilShown = (word: string): Promise<true> =>
  eventually(
    `${word} on the page`,
    async () => (await page.evaluate<string>('JSON.stringify(client.lastMessage)')).includes(word) || undefined,
    30_000,
  )

test.each([
  { sdk: 'ai5', resuming: true },
  { sdk: 'ai', resuming: false },
  { sdk: 'ai', resuming: true },
  { sdk: 'ai7', resuming: false },
  { sdk: 'ai7', resuming: true },
])(
  'the package $sdk shows the stored messages after a lost connection on a page (resuming fetch: $resuming)',
  async (variant) => {
    const baseUrl = `http://127.0.0.1:${proxy.port}`
    await page.addScriptTag({ url: `/sdk/${variant.sdk}` })
    const request = JSON.stringify({ ...chat, account: { key: chat.account.key } })
    const fetch = variant.resuming ? `createResumingFetch('${baseUrl}/api/chat/${chat.chatId}/stream')` : 'undefined'
    await page.evaluate(`
    globalThis.client = openClient(${request}, { baseUrl: '${baseUrl}', fetch: ${fetch} })
    globalThis.sending = client.sendMessage({ text: '@words 60\\n$ echo between\\n---\\n@words 40' })
    null`)
    await untilShown('word-20')
    proxy.cut()
    const afterCut = await page.evaluate('sending.then(() => client.status)')
    expect(afterCut).toBe(variant.resuming ? 'ready' : 'error')
    if (!variant.resuming) await page.evaluate('client.resumeStream()')
    expect(await page.evaluate('client.status')).toBe('ready')
    const shown = await page.evaluate<UIMessage[]>('client.messages')
    const { messages } = await chatApi.load(chat)
    // The contract uses the message type of the SDK.
    expect(shown.map(comparableMessage)).toEqual((messages as unknown as UIMessage[]).map(comparableMessage))
  },
)
