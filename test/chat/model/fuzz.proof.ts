import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandom } from '../../world/random.ts'
import { scaled } from '../../cost/scale.ts'
import { listFaults, shownText } from '../../world/transcript.ts'
import { createWorld, type World } from '../../world/world.ts'
import { fuzzedStream } from './fuzzed-stream.ts'
import { createChatApi, type OpenChat } from '../chat-api.ts'

/** The seed changes daily, because a fixed seed would repeat the same streams. */
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Date.now() / 86_400_000))
const streams = scaled(100, 250)
const chats = 32
const random = createRandom(seed)

let served = 0

/** Identifies a call by the turn in its prompt, its step and its attempt, so that a seed determines its response. */
const findName = (body: string, key: string): string | undefined => {
  const turn = [...body.matchAll(/<fuzz ([^>]+)>/g)].at(-1)?.[1]
  return turn === undefined || key.includes(':commit:') ? undefined : `${turn}#${key.split(':').slice(-2).join('.')}`
}

const sendValidResponse = (response: ServerResponse): void => {
  const chunk = JSON.stringify({ choices: [{ index: 0, delta: { content: 'calm' }, finish_reason: 'stop' }] })
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${chunk}\n\ndata: [DONE]\n\n`)
}

/** The first two steps of a sub-agent cover all cases, so its later steps receive a valid response. */
const isLateSubStep = (name: string): boolean => /\/.*#(?:[2-9]|\d\d+)\./.test(name)

const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  const name = findName(Buffer.concat(parts).toString(), String(request.headers['idempotency-key']))
  if (name === undefined || isLateSubStep(name)) return sendValidResponse(response)
  served++
  const stream = fuzzedStream(random.fork(name), name)
  response.writeHead(stream.status, { 'content-type': stream.contentType })
  response.flushHeaders()
  for (const piece of stream.pieces) {
    if (response.destroyed) return
    response.write(piece)
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (stream.end === 'whole') response.end()
  else if (stream.end === 'cut') response.destroy()
}

const server = createServer((request, response) => {
  serve(request, response).catch(() => response.destroy())
})
let world: World
let chatApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  world = await createWorld({
    settings: {
      MODEL_BASE_URL: url,
      MODEL_SILENCE_SECONDS: '2',
      MODEL_OUTPUT_LIMIT: '100000',
      STEP_LIMIT: '30',
      STREAM_FLUSH_MS: '100',
    },
  })
  chatApi = createChatApi(world)
})
afterAll(async () => {
  await world.close()
  server.close()
  server.closeAllConnections()
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const heapMegabytes = (): number => {
  collectGarbage()
  return process.memoryUsage().heapUsed / 2 ** 20
}

/** Sends turns to a chat one after the other. A turn is accepted only if the previous turn has ended. */
const sendTurns = async (chat: OpenChat, at: number, until: number): Promise<void> => {
  const isServed = (): boolean => served >= until
  for (let turn = 0; !isServed(); turn++) {
    const name = `${at}.${turn}.${until}`
    const transcript = await chatApi.send(chat, `<fuzz ${name}>`)
    expect(listFaults(transcript), name).toEqual([])
  }
}

test(`a run ends and its chat continues for every response of a model server (FUZZ_SEED=${seed})`, async () => {
  const opened = await Promise.all(Array.from({ length: chats }, () => chatApi.openChatWithoutCommands()))
  // Without a sandbox state, the end of a turn with tools commits no files.
  await world.db`update sessions set sandbox_state = null`
  const sendTurnsUntil = (until: number) => Promise.all(opened.map((chat, at) => sendTurns(chat, at, until)))
  await sendTurnsUntil(streams / 4)
  const before = heapMegabytes()
  await sendTurnsUntil(streams)
  const last = await Promise.all(opened.map((chat) => chatApi.send(chat, 'And now?')))
  expect(last.map(shownText)).toEqual(opened.map(() => 'calm'))
  expect(heapMegabytes() - before).toBeLessThan(30)
  expect(await world.db`select reason, detail from run_alerts`).toEqual([])
  expect(await world.db`select id from runs where status in ('queued', 'running') or restarts > 0`).toEqual([])
})
