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
import { loops, loopSteps, loopTurns } from './rows/loops.ts'
import type { Cells } from './rows/rows.ts'
import { findCapacity, loads, measureDirect, measureLoad, settle, type Client, type Direct } from './rows/streams.ts'
import { comeBack, killInTheMiddle, timeFirstToken, timeSteps } from './rows/turns.ts'

/** How much is measured. */
export type Size = {
  /** A round is begun when it would end within the budget, if it took as long as the one before. */
  rounds: number
  budgetMs: number
  seconds: number
  turns: number
  /** The most that holds is looked for in so many rounds: it takes the longest. */
  capacityRounds: number
}

/** All peers in turn, round by round; each is started anew and alone. The order turns. */
export async function measurePeers(peers: Peer[], size: Size, say: Print, stopped: AbortSignal): Promise<Column[]> {
  const { hold, close } = createLifetime()
  const columns = peers.map((peer): Column => ({ peer, cells: [] }))
  try {
    const model = await startModelServer()
    hold(model.part, (part) => part.stop())
    const reader = hold(await startReaderProcess(), (each) => each.close())
    const client = { reader, modelUrl: model.url, seconds: size.seconds }
    const begin = performance.now()
    let lastMs = 0
    for (let round = 0; round < size.rounds; round++) {
      const roundBegin = performance.now()
      if (roundBegin - begin + lastMs > size.budgetMs) break
      const direct = await measureDirect(client)
      for (const column of [...columns.slice(round), ...columns.slice(0, round)]) {
        stopped.throwIfAborted()
        const { peer } = column
        const cells = await measurePeer(
          peer,
          { model, client, direct },
          size,
          round < size.capacityRounds,
          say,
          stopped,
        )
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

const limitMs = 120_000

type Instruments = { model: FakeModel; client: Client; direct: Direct }

async function measurePeer(
  peer: Peer,
  { model, client, direct }: Instruments,
  { turns, seconds }: Size,
  findMost: boolean,
  say: Print,
  stopped: AbortSignal,
): Promise<Cells> {
  const { hold, close } = createLifetime()
  const cells: Cells = {}
  try {
    const folder = hold(await mkdtemp(join(tmpdir(), 'backline-peers-')), (path) =>
      rm(path, { recursive: true, force: true }),
    )
    const running = hold(await peer.start({ folder, modelUrl: model.url, say }), (each) => each.stop())
    const add = async (name: string, measure: () => Promise<Cells>): Promise<void> => {
      stopped.throwIfAborted()
      try {
        await settle(running)
        Object.assign(cells, await within(measure(), stopped))
      } catch (error) {
        if (stopped.aborted) throw error
        say(`${peer.name}, ${name}: ${readMessage(error)}`)
      }
    }
    await within(timeFirstToken(running, 3), stopped)
    await add('memory', () => readMemory(running))
    await add('first token', () => timeFirstToken(running, turns))
    await add('step', () => timeSteps(running, model, 2))
    await add('resume', () => comeBack(running))
    for (const clients of loops) {
      await add(`turns of ${clients}`, () => loopTurns(running, clients, seconds))
      await add(`steps of ${clients}`, () => loopSteps(running, clients, seconds))
    }
    const held = new Map<number, boolean>()
    for (const streams of loads)
      await add(`${streams} streams`, () => measureLoad(running, client, streams, direct, held))
    if (findMost) await add('capacity', () => findCapacity(running, client, held))
    await add('kill', () => killInTheMiddle(running))
  } catch (error) {
    if (stopped.aborted) throw error
    say(`${peer.name} does not run: ${readMessage(error)}`)
  } finally {
    await close()
  }
  return cells
}

/** A peer that hangs loses the row; a signal ends all. */
async function within<T>(work: Promise<T>, stopped: AbortSignal): Promise<T> {
  const timer = new AbortController()
  const signal = AbortSignal.any([timer.signal, stopped])
  try {
    return await Promise.race([work, pause(limitMs, undefined, { signal }).then(() => refuse('it took too long'))])
  } catch (error) {
    stopped.throwIfAborted()
    throw error
  } finally {
    timer.abort()
  }
}

function refuse(why: string): never {
  throw new Error(why)
}

async function readMemory(peer: RunningPeer): Promise<Cells> {
  await pause(1000)
  return { memory: peer.pids().reduce((sum, pid) => sum + readTreeMemory(pid), 0) / 1e6 }
}
