import { setTimeout as pause } from 'node:timers/promises'
import type { Post, ReaderProcess, Reading } from '../../processes/reader.ts'
import { readTreeCpu } from '../../processes/usage.ts'
import { clockMicroseconds, encodePlan } from '../../stack/plan.ts'
import type { RunningPeer } from '../peer.ts'
import type { Cells } from './rows.ts'

const perSecond = 50
const maxDelayMs = 250

/** Numbers of streams that the search for the capacity can try. */
const streamCounts = [0, 1, 5, 10, 20, 30, 50, 75, 100, 150, 200, 250, 300, 400, 500, 600, 700]

/** Numbers of streams at which the delay is measured. */
export const loads = [1, 20, 100] as const
type LoadSize = (typeof loads)[number]

export type Client = { reader: ReaderProcess; modelUrl: string; seconds: number }
/** Figures of a client that reads the fake model directly. */
export type Direct = Record<LoadSize, Reading>
type Load = Reading & { costMicroseconds: number }

export async function measureDirect(client: Client): Promise<Direct> {
  return {
    1: await readDirect(client, 1),
    20: await readDirect(client, 20),
    100: await readDirect(client, 100),
  }
}

/** Measures delay and CPU time at this number of streams. Records in `sustained` whether the peer sustained the load. */
export async function measureLoad(
  peer: RunningPeer,
  client: Client,
  streams: LoadSize,
  direct: Direct,
  sustained: Map<number, boolean>,
): Promise<Cells> {
  const load = await loadPeer(peer, client, streams, 15_000)
  sustained.set(streams, isSustained(load))
  return {
    [`delay${streams}p50`]: load.p50 - direct[streams].p50,
    [`delay${streams}p99`]: load.p99 - direct[streams].p99,
    ...(streams > 1 && { [`cost${streams}`]: load.whole ? load.costMicroseconds : 'fell behind' }),
  }
}

/** Finds the capacity by a binary search between the numbers of streams that were sustained and not sustained. */
export async function findCapacity(peer: RunningPeer, client: Client, sustained: Map<number, boolean>): Promise<Cells> {
  let [low, high] = [0, streamCounts.length]
  for (const [streams, wasSustained] of sustained) {
    const index = streamCounts.indexOf(streams)
    if (wasSustained) low = Math.max(low, index)
    else high = Math.min(high, index)
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isSustained(await loadPeer(peer, client, streamCounts[middle] ?? 0, 3000))) low = middle
    else high = middle
  }
  return { capacity: perSecond * (streamCounts[low] ?? 0) }
}

/** Waits until the processes of the peer are idle, for at most 20 seconds. */
export async function settle(peer: RunningPeer): Promise<void> {
  const deadline = performance.now() + 20_000
  for (let quiet = 0; quiet < 2 && performance.now() < deadline;) {
    const before = readCpu(peer)
    await pause(250)
    quiet = readCpu(peer) - before < 25_000 ? quiet + 1 : 0
  }
}

async function loadPeer(peer: RunningPeer, client: Client, streams: number, drainMs: number): Promise<Load> {
  await settle(peer)
  const before = readCpu(peer)
  const reading = await readStreams(client, streams, drainMs, (message) =>
    peer.prepareTurn(message).then(({ post }) => post),
  )
  return { ...reading, costMicroseconds: (readCpu(peer) - before) / reading.tokens }
}

function readDirect(client: Client, streams: number): Promise<Reading> {
  return readStreams(client, streams, 0, async (content) => ({
    url: `${client.modelUrl}/chat/completions`,
    headers: {},
    body: { stream: true, messages: [{ role: 'user', content }] },
  }))
}

async function readStreams(
  { reader, seconds }: Client,
  streams: number,
  /** Additional time for a peer that is behind. */
  drainMs: number,
  createPost: (message: string) => Promise<Post>,
): Promise<Reading> {
  const tokens = perSecond * seconds
  const openingMs = 500 + 25 * streams
  const beginAt = clockMicroseconds() + openingMs * 1000
  const message = encodePlan({ tokens, perSecond, beginAt })
  const posts = await Promise.all(Array.from({ length: streams }, () => createPost(message)))
  return reader.read({ posts, tokens, limitMs: openingMs + seconds * 1000 + 1000 + drainMs })
}

function isSustained({ whole, p99 }: Reading): boolean {
  return whole && p99 <= maxDelayMs
}

function readCpu(peer: RunningPeer): number {
  return peer.pids().reduce((sum, pid) => sum + readTreeCpu(pid), 0)
}
