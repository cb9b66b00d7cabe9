import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readMessage, type Print } from '../../dev/say.ts'
import { createLifetime } from '../../lifetime.ts'
import { startModelServer, type FakeModel } from '../processes/model-process.ts'
import { startReaderProcess } from '../processes/reader.ts'
import { readTreeMemory } from '../processes/usage.ts'
import type { Peer, RunningPeer } from './peer.ts'
import type { Column } from './report/summary.ts'
import { loopLongTurns, loopSizes, loopSteps, loopTurns } from './rows/loops.ts'
import type { Cells } from './rows/rows.ts'
import { findCapacity, loads, measureDirect, measureLoad, settle, type Client, type Direct } from './rows/streams.ts'
import { timeFirstToken, timeRecovery, timeResume, timeSteps } from './rows/turns.ts'

/** Extent of the measurements. */
export type Size = {
  /** Maximum number of rounds. A round starts only if it would end within the budget, judged by the previous round. */
  rounds: number
  timeBudgetMs: number
  seconds: number
  turns: number
  /** Number of rounds that also measure the capacity and the memory at rest, which are the slowest measurements. */
  slowRounds: number
}

/** Measures all peers round by round. Each peer is started alone, and the order rotates. */
export async function measurePeers(peers: Peer[], size: Size, say: Print, stopSignal: AbortSignal): Promise<Column[]> {
  const { register, close } = createLifetime()
  const columns = peers.map((peer): Column => ({ peer, cells: [] }))
  try {
    const model = await startModelServer()
    register(model.part, (part) => part.stop())
    const reader = register(await startReaderProcess(), (each) => each.close())
    const client = { reader, modelUrl: model.url, seconds: size.seconds }
    const begin = performance.now()
    let lastMs = 0
    for (let round = 0; round < size.rounds; round++) {
      const roundBegin = performance.now()
      if (roundBegin - begin + lastMs > size.timeBudgetMs) break
      const direct = await measureDirect(client)
      for (const column of [...columns.slice(round), ...columns.slice(0, round)]) {
        stopSignal.throwIfAborted()
        const { peer } = column
        const cells = await measurePeer(peer, { model, client, direct }, size, round < size.slowRounds, say, stopSignal)
        column.cells.push(cells)
        say(`round ${round + 1}, ${peer.name}: ${JSON.stringify(cells)}`)
      }
      lastMs = performance.now() - roundBegin
    }
    return columns
  } finally {
    await close()
  }
}

const rowTimeoutMs = 180_000

type Instruments = { model: FakeModel; client: Client; direct: Direct }

async function measurePeer(
  peer: Peer,
  instruments: Instruments,
  size: Size,
  isSlow: boolean,
  say: Print,
  stopSignal: AbortSignal,
): Promise<Cells> {
  const cells: Cells = {}
  const measurements: ((instance: Instance) => Promise<void>)[] = [
    (instance) => measureStreams(instance, instruments, size, isSlow),
    (instance) => measureLoops(instance, size),
  ]
  // Each with a new instance, because a peer that fell behind still executes earlier turns.
  for (const measure of measurements) {
    const { register, close } = createLifetime()
    try {
      const folder = register(await mkdtemp(join(tmpdir(), 'backline-peers-')), (path) =>
        rm(path, { recursive: true, force: true }),
      )
      const { modelUrl } = instruments.client
      const runningPeer = register(await peer.start({ folder, modelUrl, say }), (each) => each.stop())
      await withTimeout(timeFirstToken(runningPeer, 3), stopSignal)
      await measure({ runningPeer, measureRows: createRowMeter(runningPeer, cells, peer.name, say, stopSignal) })
    } catch (error) {
      if (stopSignal.aborted) throw error
      say(`${peer.name} did not run: ${readMessage(error)}`)
    } finally {
      await close()
    }
  }
  return cells
}

/** Measures rows when the peer is idle. Resolves to false if they could not be measured. */
type MeasureRows = (name: string, measure: () => Promise<Cells>) => Promise<boolean>

/** A running instance of a peer. */
type Instance = { runningPeer: RunningPeer; measureRows: MeasureRows }

/** Returns a function that adds the rows that it measures to `cells`. */
function createRowMeter(
  runningPeer: RunningPeer,
  cells: Cells,
  peerName: string,
  say: Print,
  stopSignal: AbortSignal,
): MeasureRows {
  return async (name, measure) => {
    stopSignal.throwIfAborted()
    try {
      await settle(runningPeer)
      Object.assign(cells, await withTimeout(measure(), stopSignal))
      return true
    } catch (error) {
      if (stopSignal.aborted) throw error
      say(`${peerName}, ${name}: ${readMessage(error)}`)
      return false
    }
  }
}

async function measureStreams(
  { runningPeer, measureRows }: Instance,
  { model, client, direct }: Instruments,
  { turns }: Size,
  isSlow: boolean,
): Promise<void> {
  if (isSlow) await measureRows('memory', () => readMemory(runningPeer))
  await measureRows('first token', () => timeFirstToken(runningPeer, turns))
  await measureRows('step', () => timeSteps(runningPeer, model, 2))
  await measureRows('resume', () => timeResume(runningPeer))
  const sustained = new Map<number, boolean>()
  for (const streams of loads)
    await measureRows(`${streams} streams`, () => measureLoad(runningPeer, client, streams, direct, sustained))
  if (isSlow) await measureRows('capacity', () => findCapacity(runningPeer, client, sustained))
  await measureRows('kill', () => timeRecovery(runningPeer))
}

async function measureLoops({ runningPeer, measureRows }: Instance, { seconds }: Size): Promise<void> {
  // A peer that exceeds the time limit with a number of clients would also exceed it with more clients.
  for (const clients of loopSizes) {
    if (!(await measureRows(`turns of ${clients}`, () => loopTurns(runningPeer, clients, seconds)))) return
    if (!(await measureRows(`steps of ${clients}`, () => loopSteps(runningPeer, clients, seconds)))) return
  }
  await measureRows('long turns', () => loopLongTurns(runningPeer, seconds))
}

/** Rejects when the work exceeds the time limit of a row, or when the benchmark is stopped. */
async function withTimeout<T>(work: Promise<T>, stopSignal: AbortSignal): Promise<T> {
  const timer = new AbortController()
  const signal = AbortSignal.any([timer.signal, stopSignal])
  try {
    const timeout = pause(rowTimeoutMs, undefined, { signal }).then(() => fail(`timed out after ${rowTimeoutMs} ms`))
    return await Promise.race([work, timeout])
  } catch (error) {
    stopSignal.throwIfAborted()
    throw error
  } finally {
    timer.abort()
  }
}

function fail(message: string): never {
  throw new Error(message)
}

/** Time after which a peer is at rest. Longer than the idle timeout of connections, and than the time of a garbage collection. */
const restMs = 70_000

async function readMemory(peer: RunningPeer): Promise<Cells> {
  await pause(restMs)
  return { memory: peer.pids().reduce((sum, pid) => sum + readTreeMemory(pid), 0) / 1e6 }
}
