import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PartName } from '../../dev/stack/data-dir.ts'
import { repeatedWords, userMessage } from '../chat/chat-api.ts'
import { createIsolatedStack, type IsolatedStack } from '../world/stack.ts'
import { listFrames, readTranscript, shownText, listTypes, type Transcript } from '../world/transcript.ts'
import { eventually } from '../world/world.ts'

const wordCount = 100
const expectedText = repeatedWords(wordCount)

let stack: IsolatedStack

/** Repeats a request until it receives a response other than 5xx, because a part may be down. */
const sendRequest = (
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Response> =>
  eventually(
    `a response to ${method} ${path}`,
    async () => {
      const local = await stack.readLocal()
      if (local === undefined) return undefined
      const response = await fetch(local.baseUrl + path, {
        method,
        headers: { 'x-api-key': local.apiKey ?? '', 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch(() => undefined)
      if (response === undefined) return undefined
      if (response.status < 500) return response
      await response.body?.cancel()
      return undefined
    },
    60_000,
  )

const sendJson = async <T>(method: string, path: string, body?: object): Promise<T> =>
  (await sendRequest(method, path, body)).json() as Promise<T>

/** Reads a turn and resumes after every lost connection, until `[DONE]` or the end of the run. */
const readToEnd = async (first: Response, chatId: string, onFrames: (count: number) => void): Promise<Transcript> => {
  const whole: Transcript = { frames: [], heartbeats: 0, done: false }
  let response = first
  for (;;) {
    const before = whole.frames.length
    const part = await readTranscript(response, ({ frames }) => {
      onFrames(before + frames.length)
      return false
    })
    whole.frames.push(...part.frames)
    whole.done = part.done
    if (whole.done) return whole
    const last = whole.frames.at(-1)?.index
    const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': String(last) }
    response = await sendRequest('GET', `/api/chat/${chatId}/stream`, undefined, headers)
    if (response.status === 204) return whole
  }
}

beforeAll(async () => {
  stack = await createIsolatedStack({ LOCAL_MODEL_WORDS_PER_SECOND: '40', SPARE_WORKER: 'true' })
  await stack.ensureRunning()
})
afterAll(() => stack.close())

const sendWords = async (): Promise<{ response: Response; sessionId: string; chatId: string }> => {
  const { session, chat } = await sendJson<{ session: { id: string }; chat: { id: string } }>(
    'POST',
    '/api/sessions',
    {},
  )
  await (await sendRequest('POST', '/api/sandbox', { sessionId: session.id })).body?.cancel()
  const messages = [userMessage(`@words ${wordCount}`)]
  const response = await sendRequest('POST', '/api/chat', { sessionId: session.id, chatId: chat.id, messages })
  expect(response.status).toBe(200)
  return { response, sessionId: session.id, chatId: chat.id }
}

test('a turn that has started completes while the engine is suspended', async () => {
  const { response, chatId } = await sendWords()
  const engine = (await stack.readLocal())?.pids.temporal ?? 0
  let stopped = false
  try {
    const transcript = await readToEnd(response, chatId, (frames) => {
      if (frames < 20 || stopped) return
      stopped = process.kill(engine, 'SIGSTOP')
    })
    expect([stopped, transcript.done, listTypes(transcript).at(-1)]).toEqual([true, true, 'finish'])
    expect(listTypes(transcript)).not.toContain('data-retract')
    expect(shownText(transcript)).toBe(expectedText)
  } finally {
    process.kill(engine, 'SIGCONT')
  }
})

test.each<PartName[][]>([
  [['worker']],
  [['worker', 'worker-2']],
  [['api']],
  [['postgres']],
  [['temporal']],
  [['worker', 'api', 'postgres', 'temporal']],
])('a turn completes if the parts %j are killed during the turn', async (victims) => {
  const { response, sessionId, chatId } = await sendWords()
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const { pids } = (await stack.readLocal())!
  let killed = false
  const transcript = await readToEnd(response, chatId, (frames) => {
    if (frames < 20 || killed) return
    killed = true
    for (const victim of victims) process.kill(pids[victim] ?? 0, 'SIGKILL')
  })
  expect(killed).toBe(true)
  const status = await eventually(
    'the end of the run',
    async () => {
      const run = await sendJson<{ status: string }>('GET', `/api/chat/runs/${runId}`)
      return run.status === 'queued' || run.status === 'running' ? undefined : run.status
    },
    60_000,
  )
  expect(status, stack.output().slice(-3000)).toBe('completed')
  expect(transcript.frames.map(({ index }) => index)).toEqual(transcript.frames.map((_, position) => position))
  if (transcript.done) {
    expect(listTypes(transcript).at(-1)).toBe('finish')
    expect(shownText(transcript)).toBe(expectedText)
  }
  const stored = await sendJson<{ messages: { parts: { type: string; text?: string }[] }[] }>(
    'GET',
    `/api/sessions/${sessionId}/chats/${chatId}`,
  )
  const text = stored.messages[1]?.parts.filter((part) => part.type === 'text').map((part) => part.text)
  expect(text).toEqual([expectedText])
  expect(listFrames(transcript).filter((frame) => frame.type === 'start')).toHaveLength(1)
  // The next test starts when all parts run again.
  await eventually(
    'the restart of every part',
    async () => {
      const local = await stack.readLocal()
      const areRunning = Object.values(local?.pids ?? {}).every((pid) => pid !== null)
      const changed = victims.every((victim) => local?.pids[victim] !== pids[victim])
      return areRunning && changed ? true : undefined
    },
    60_000,
  )
})
