import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { median, spreadOf, type Row } from '../measure.ts'
import { openingMs, type Pace, type Reader } from '../processes/reader.ts'
import type { OpenChat, Stack } from '../stack/stack.ts'
import { readTreeCpu } from '../processes/usage.ts'

const wantedPerSecond = 20_000
const settleMs = 1000

/** What a token costs in each process, by the processor time that all used while all streams were flowing. */
export async function tokenCost(
  stack: Stack,
  reader: Reader,
  chats: OpenChat[],
  pace: Pace,
  rounds: number,
): Promise<Row> {
  const { worker, postgres, api, temporal, model } = stack.parts
  const processes = {
    worker,
    Postgres: postgres,
    API: api,
    Temporal: temporal,
    'the fake model': model,
    'the client': reader,
  }
  const sample = () => Object.values(processes).map(({ pid }) => readTreeCpu(pid))
  const spent: number[][] = []
  for (let round = 0; round < rounds; round++) {
    const reading = reader.relayed(chats, pace)
    await pause(openingMs(chats.length) + settleMs)
    const [before, begin] = [sample(), performance.now()]
    await pause(pace.seconds * 1000 - 2 * settleMs)
    const tokens = (chats.length * pace.perSecond * (performance.now() - begin)) / 1000
    spent.push(sample().map((after, part) => (after - (before[part] ?? 0)) / tokens))
    await reading
  }
  const parts = Object.keys(processes).map(
    (name, part) => `${name} ${Math.round(median(spent.map((each) => each[part] ?? 0)))}`,
  )
  const cores = availableParallelism()
  return {
    name: `processor time of a token, ${chats.length} streams`,
    ...spreadOf(spent.map((each) => each.reduce((sum, part) => sum + part, 0))),
    unit: 'us',
    how: `of all processes by /proc, over the time in which all streams flow; for ${wantedPerSecond.toLocaleString('en')} tokens/s the ${cores} cores have ${(cores * 1e6) / wantedPerSecond} us for each`,
    detail: parts.join(', '),
  }
}
