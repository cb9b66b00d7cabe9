import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { print } from '../../dev/say.ts'
import { createChatApi, userMessage, type OpenChat } from '../chat/chat-api.ts'
import { startApiProcess } from '../crash/processes.ts'
import { listFaults, readTranscript, shownText } from '../world/transcript.ts'
import { createWorld, eventually, type World } from '../world/world.ts'

const hasCurl = spawnSync('curl', ['--version'], { stdio: 'ignore' }).status === 0
if (!hasCurl) print('curl is not installed: its tests are skipped.')

let world: World
let chatApi: ReturnType<typeof createChatApi>
let folder: string
beforeAll(async () => {
  world = await createWorld({ settings: { LOCAL_MODEL_WORDS_PER_SECOND: '40' } })
  chatApi = createChatApi(world)
  folder = await mkdtemp(join(tmpdir(), 'backline-curl-'))
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

/** Starts curl, which writes the response to the file. Returns the response so far and the result of curl. */
const startCurl = (args: string[], file: string) => {
  const child = spawn('curl', ['-sSN', '-o', file, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stderr = ''
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()))
  const read = () => readFile(file, 'utf8').catch(() => '')
  return {
    read,
    untilShown: (text: string) =>
      eventually(`${text} from curl`, async () => (await read()).includes(text) || undefined, 30_000),
    end: once(child, 'exit').then(async ([code]) => ({ code: code as number | null, stderr, text: await read() })),
  }
}

const buildKeyHeader = (chat: OpenChat): string[] => ['-H', `x-api-key: ${chat.account.key}`]

const parseTranscript = (text: string) => readTranscript(new Response(text))

describe.skipIf(!hasCurl)('curl', () => {
  test.each([
    ['killed', (api: { kill(): Promise<void> }) => api.kill()],
    ['stopped', (api: { stop(): Promise<unknown> }) => api.stop()],
  ])('reads a whole turn from an API that is %s and restarted, with --retry and an Idempotency-Key', async (_, end) => {
    const chat = await chatApi.openChat()
    const api = await startApiProcess(world)
    const body = { sessionId: chat.sessionId, chatId: chat.chatId, messages: [userMessage('@words 120')] }
    const args = ['--retry', '8', '--retry-all-errors', '--retry-connrefused', '-H', 'Idempotency-Key: one-turn']
    const sent = ['-H', 'content-type: application/json', '-d', JSON.stringify(body)]
    const file = join(folder, `${chat.chatId}.sse`)
    const curl = startCurl([...args, ...buildKeyHeader(chat), ...sent, `${api.baseUrl}/api/chat`], file)
    await curl.untilShown('word-12')
    await end(api)
    const again = await startApiProcess(world, { takenOver: api.baseUrl })
    const { code, stderr, text } = await curl.end
    expect([code, stderr]).toEqual([0, expect.stringContaining('curl: (18)')])
    const transcript = await parseTranscript(text)
    expect(listFaults(transcript)).toEqual([])
    expect(shownText(transcript).split(' ')).toHaveLength(120)
    expect(await world.db`select 1 from runs where chat_id = ${chat.chatId}`).toHaveLength(1)
    await again.stop()
  })

  test('-N shows the frames after Last-Event-ID as they arrive', async () => {
    const chat = await chatApi.openChat()
    const watching = readTranscript(await chatApi.post(chat, '@words 80'))
    const address = `${world.baseUrl}/api/chat/${chat.chatId}/stream`
    const curl = startCurl(
      [...buildKeyHeader(chat), '-H', 'Last-Event-ID: 3', address],
      join(folder, `${chat.chatId}.sse`),
    )
    await curl.untilShown('word-20')
    expect(await curl.read()).not.toContain('[DONE]')
    const { code, text } = await curl.end
    const whole = await watching
    expect(code).toBe(0)
    expect(await parseTranscript(text)).toMatchObject({ frames: whole.frames.slice(4), done: true })
  })
})
