import { measureDifference, median, type Bench, type Row } from '../measure.ts'
import { startReader, type Reader, type Reading } from '../processes/reader.ts'
import type { OpenChat } from '../stack/stack.ts'
import { measureTokenCost } from './token-cost.ts'

export const relay: Bench = {
  name: 'relay',
  run: async (stack, { quick }) => {
    const reader = await startReader(stack)
    const chats = await stack.openChats(100)
    const rows: Row[] = []
    for (const streams of [1, 20, 100]) {
      const rounds = quick ? 2 : 5
      const { direct, relayed } = await readBoth(reader, chats.slice(0, streams), rounds, quick)
      for (const [figure, maxMs] of [
        ['p50', 10],
        ['p99', 60],
      ] as const) {
        const sides = {
          ours: relayed.map((reading) => reading[figure]),
          control: direct.map((reading) => reading[figure]),
        }
        rows.push({
          name: `delay added, ${streams} ${streams === 1 ? 'stream' : 'streams'}, ${figure}`,
          ...measureDifference(sides),
          unit: 'ms',
          aim: { atMost: maxMs },
          how: 'age of a token when it reaches a client process through the worker, the log and the API, minus its age when the same client reads the fake model directly, at 50 tokens/s per stream',
          detail: `${median(sides.ours).toFixed(1)} ms, direct ${median(sides.control).toFixed(1)} ms`,
        })
      }
    }
    for (const streams of [20, 100])
      rows.push(await measureTokenCost(stack, reader, chats.slice(0, streams), pace(quick), quick ? 1 : 3))
    await reader.close()
    return rows
  },
}

/** Reads both sides alternately. `compare` is not used, because it supports one figure per round and a reading has two. */
async function readBoth(reader: Reader, chats: OpenChat[], rounds: number, quick: boolean) {
  const direct: Reading[] = []
  const relayed: Reading[] = []
  for (let round = -1; round < rounds; round++) {
    const control = await reader.direct(chats.length, pace(quick))
    const ours = await reader.relayed(chats, pace(quick))
    if (!control.whole || !ours.whole) throw new Error('a stream lost tokens')
    if (round < 0) continue
    direct.push(control)
    relayed.push(ours)
  }
  return { direct, relayed }
}

function pace(quick: boolean) {
  return { perSecond: 50, seconds: quick ? 3 : 6 }
}
