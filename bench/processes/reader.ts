import { randomUUID } from 'node:crypto'
import { startChildProcess } from './child-process.ts'
import { clockMicroseconds, planText } from '../stack/plan.ts'
import type { OpenChat, Stack } from '../stack/stack.ts'

/** A request whose response is a stream of stamped tokens. */
export type Post = { url: string; headers: Record<string, string>; body: object }

export type ReadPlan = {
  posts: Post[]
  /** Of each stream. */
  tokens: number
  /** A stream that is still open then is left. */
  limitMs: number
}

/** Age of the tokens at the client in milliseconds, and how many came. */
export type Reading = {
  p50: number
  p99: number
  perSecond: number
  /** Every token of every stream came. */
  whole: boolean
  /** The time over which all streams were flowing. */
  seconds: number
  /** All that came, also before and after that time. */
  tokens: number
}

export type Reader = {
  /** Reads streams of stamped tokens at the same time, from the fake model itself. */
  direct(streams: number, pace: Pace): Promise<Reading>
  /** The same through the API and the worker. */
  relayed(chats: OpenChat[], pace: Pace): Promise<Reading>
  pid: number
  close: () => Promise<void>
}

export type Pace = { perSecond: number; seconds: number }

/** A client process. */
export type ReaderProcess = Pick<Reader, 'pid' | 'close'> & { read: (plan: ReadPlan) => Promise<Reading> }

/** Milliseconds that so many streams are given to be opened in. */
export function openingMs(streams: number): number {
  return 500 + streams * 50
}

export async function startReaderProcess(): Promise<ReaderProcess> {
  const { part, sendRequest } = await startChildProcess<ReadPlan, Reading>('processes/reader-process.ts')
  return { read: sendRequest, pid: part.pid, close: () => part.stop() }
}

/** A client process. The model begins to send when every stream had the time to be opened. */
export async function startReader(stack: Stack): Promise<Reader> {
  const { read, pid, close } = await startReaderProcess()
  const readAll = (streams: number, { perSecond, seconds }: Pace, postOf: (message: string) => Post[]) => {
    const tokens = perSecond * seconds
    const beginAt = clockMicroseconds() + openingMs(streams) * 1000
    return read({ posts: postOf(planText({ tokens, perSecond, beginAt })), tokens, limitMs: 10 * 60_000 })
  }
  return {
    direct: (streams, pace) =>
      readAll(streams, pace, (message) =>
        Array.from({ length: streams }, () => ({
          url: `${stack.modelUrl}/chat/completions`,
          headers: {},
          body: { stream: true, messages: [{ role: 'user', content: message }] },
        })),
      ),
    relayed: (chats, pace) =>
      readAll(chats.length, pace, (message) => chats.map((chat) => chatPost(stack.baseUrl, chat, message))),
    pid,
    close,
  }
}

/** The request that sends one message of the user. */
export function chatPost(baseUrl: string, { account, sessionId, chatId }: OpenChat, content: string): Post {
  return {
    url: `${baseUrl}/api/chat`,
    headers: { 'x-api-key': account.key },
    body: { sessionId, chatId, messages: [{ id: randomUUID(), role: 'user', content }] },
  }
}
