import { randomUUID } from 'node:crypto'
import { startChildProcess } from './child-process.ts'
import { clockMicroseconds, encodePlan } from '../stack/plan.ts'
import type { OpenChat, Stack } from '../stack/stack.ts'

/** A request whose response is a stream of timestamped tokens. */
export type Post = { url: string; headers: Record<string, string>; body: object }

export type ReadPlan = {
  posts: Post[]
  /** Number of tokens of each stream. */
  tokens: number
  /** Time after which streams that are still open are closed. */
  limitMs: number
}

/** Age of the tokens at the client, in milliseconds, and the number of tokens that arrived. */
export type Reading = {
  p50: number
  p99: number
  perSecond: number
  /** Whether every token of every stream arrived. */
  whole: boolean
  /** Duration of the measured period, in which all streams were active. */
  seconds: number
  /** Number of tokens that arrived, including tokens sent before and after this period. */
  tokens: number
}

export type Reader = {
  /** Reads concurrent streams of timestamped tokens directly from the fake model. */
  direct(streams: number, pace: Pace): Promise<Reading>
  /** Reads concurrent streams of timestamped tokens through the API and the worker. */
  relayed(chats: OpenChat[], pace: Pace): Promise<Reading>
  pid: number
  close: () => Promise<void>
}

export type Pace = { perSecond: number; seconds: number }

/** A client process. */
export type ReaderProcess = Pick<Reader, 'pid' | 'close'> & { read: (plan: ReadPlan) => Promise<Reading> }

/** Returns the milliseconds that are allowed for opening this number of streams. */
export function openingMs(streams: number): number {
  return 500 + streams * 50
}

export async function startReaderProcess(): Promise<ReaderProcess> {
  const { part, sendRequest } = await startChildProcess<ReadPlan, Reading>('processes/reader-process.ts')
  return { read: sendRequest, pid: part.pid, close: () => part.stop() }
}

/** Starts a client process. The model starts to send once every stream has had time to open. */
export async function startReader(stack: Stack): Promise<Reader> {
  const { read, pid, close } = await startReaderProcess()
  const readAll = (streams: number, { perSecond, seconds }: Pace, createPosts: (message: string) => Post[]) => {
    const tokens = perSecond * seconds
    const beginAt = clockMicroseconds() + openingMs(streams) * 1000
    return read({ posts: createPosts(encodePlan({ tokens, perSecond, beginAt })), tokens, limitMs: 10 * 60_000 })
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

/** Returns the request that sends one user message. */
export function chatPost(baseUrl: string, { account, sessionId, chatId }: OpenChat, content: string): Post {
  return {
    url: `${baseUrl}/api/chat`,
    headers: { 'x-api-key': account.key },
    body: { sessionId, chatId, messages: [{ id: randomUUID(), role: 'user', content }] },
  }
}
