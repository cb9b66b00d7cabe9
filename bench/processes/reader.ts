import { startChildProcess } from './child-process.ts'
import { clockMicroseconds, type Plan } from '../stack/plan.ts'
import type { OpenChat, Stack } from '../stack/stack.ts'

export type ReadPlan = {
  url: string
  plan: Plan & { streams: number }
  /** The fake model itself, or chats through the API. */
  targets: 'model' | OpenChat[]
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
}

export type Reader = {
  /** Reads streams of stamped tokens at the same time, from the fake model itself. */
  direct(streams: number, pace: Pace): Promise<Reading>
  /** The same through the API and the worker. */
  relayed(chats: OpenChat[], pace: Pace): Promise<Reading>
  pid: number
  close(): Promise<void>
}

export type Pace = { perSecond: number; seconds: number }

/** Milliseconds that so many streams are given to be opened in. */
export function openingMs(streams: number): number {
  return 500 + streams * 50
}

/** A client process. The model begins to send when every stream had the time to be opened. */
export async function startReader(stack: Stack): Promise<Reader> {
  const { part, ask } = await startChildProcess<ReadPlan, Reading>('processes/reader-process.ts')
  return {
    direct: (streams, pace) => ask({ url: stack.modelUrl, plan: planFor(streams, pace), targets: 'model' }),
    relayed: (chats, pace) => ask({ url: stack.baseUrl, plan: planFor(chats.length, pace), targets: chats }),
    pid: part.pid,
    close: () => part.stop(),
  }
}

function planFor(streams: number, { perSecond, seconds }: Pace) {
  return {
    streams,
    tokens: perSecond * seconds,
    perSecond,
    beginAt: clockMicroseconds() + openingMs(streams) * 1000,
  }
}
