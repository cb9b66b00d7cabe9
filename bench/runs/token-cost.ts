import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { measureSpread, type Row } from '../measure.ts'
import { openingMs, type Pace, type Reader } from '../processes/reader.ts'
import type { OpenChat, Stack } from '../stack/stack.ts'
import { createMeter } from '../processes/meter.ts'

const targetPerSecond = 30_000
const settleMs = 1000

/** Measures the CPU time per token in each process while all streams are flowing. */
export async function measureTokenCost(
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
  const meter = createMeter(processes)
  for (let round = 0; round < rounds; round++) {
    const reading = reader.relayed(chats, pace)
    await pause(openingMs(chats.length) + settleMs)
    const begin = performance.now()
    await meter.during(
      () => pause(pace.seconds * 1000 - 2 * settleMs),
      () => (chats.length * pace.perSecond * (performance.now() - begin)) / 1000,
    )
    await reading
  }
  const parts = Object.keys(processes).map((name) => `${name} ${Math.round(meter.computeMedian(name))}`)
  const cores = availableParallelism()
  return {
    name: `CPU time of a token, ${chats.length} streams`,
    ...measureSpread(meter.computeSums()),
    unit: 'us',
    how: `CPU time of all processes, read from /proc, while all streams are flowing; at ${targetPerSecond.toLocaleString('en')} tokens/s, the ${cores} cores have ${Math.round((cores * 1e6) / targetPerSecond)} us per token`,
    detail: parts.join(', '),
  }
}
