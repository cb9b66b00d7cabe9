import { setTimeout as pause } from 'node:timers/promises'
import { measureSpread, type Row } from '../../measure.ts'
import { collectGarbage } from '../../processes/garbage.ts'
import { readTreeMemory } from '../../processes/usage.ts'
import { clockMicroseconds, encodePlan } from '../../stack/plan.ts'
import type { OpenChat, Stack } from '../../stack/stack.ts'
import { sendTurn } from '../../stack/turn.ts'

/** The models answer this long after the measurement begins, by which time all turns must wait. */
const waitMs = 45_000

/** Measures the memory of the processes while one turn per chat waits for the first token of its model. */
export async function measureMemory(stack: Stack, chats: OpenChat[]): Promise<Row> {
  const { worker, postgres, api, temporal } = stack.parts
  const parts = { worker, API: api, Postgres: postgres, Temporal: temporal }
  const read = async (): Promise<number[]> => {
    await Promise.all([worker, api].map(({ pid }) => collectGarbage(pid)))
    return Object.values(parts).map(({ pid }) => readTreeMemory(pid) / 1e6)
  }
  await pause(3000)
  const before = await read()
  const beginAt = clockMicroseconds() + waitMs * 1000
  const plan = encodePlan({ tokens: 1, perSecond: 50, beginAt })
  const turns = Promise.all(chats.map((chat) => sendTurn(stack.baseUrl, chat, plan, () => {})))
  for (let live = 0; live < chats.length; await pause(200)) {
    const [row] = await stack.db<{ live: number }[]>`
      select count(*)::int as live from stream_head join runs on runs.id = run_id
      where status = 'running' and open_step is not null`
    live = row?.live ?? 0
    if (clockMicroseconds() > beginAt) throw new Error(`only ${live} turns are waiting for their model`)
  }
  await pause(3000)
  const whileWaiting = await read()
  await turns
  const inDetail = Object.keys(parts).map(
    (name, index) => `${name} ${before[index]?.toFixed(0)} and ${whileWaiting[index]?.toFixed(0)}`,
  )
  return {
    name: `memory of ${chats.length} waiting turns`,
    ...measureSpread([sum(whileWaiting) - sum(before)]),
    unit: 'MB',
    how: 'memory of all processes except the client and the fake model while each turn waits for the first token of its model, after garbage collections in the worker and the API, minus the memory at rest before',
    detail: `at rest and while waiting: ${inDetail.join(', ')}`,
  }
}

function sum(figures: number[]): number {
  return figures.reduce((all, each) => all + each, 0)
}
