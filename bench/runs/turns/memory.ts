import { setTimeout as pause } from 'node:timers/promises'
import { measureSpread, type Row } from '../../measure.ts'
import { readTreeMemory } from '../../processes/usage.ts'
import { clockMicroseconds, planText } from '../../stack/plan.ts'
import type { OpenChat, Stack } from '../../stack/stack.ts'
import { sendTurn } from '../../stack/turn.ts'

const patienceMs = 180_000

/** Memory of the processes while as many turns as there are chats wait for the first token of their model. */
export async function measureMemory(stack: Stack, chats: OpenChat[]): Promise<Row> {
  const { worker, postgres, api, temporal } = stack.parts
  const parts = { worker, API: api, Postgres: postgres, Temporal: temporal }
  const read = (): number[] => Object.values(parts).map(({ pid }) => readTreeMemory(pid) / 1e6)
  await pause(3000)
  const before = read()
  const beginAt = clockMicroseconds() + patienceMs * 1000
  const plan = planText({ tokens: 1, perSecond: 50, beginAt })
  // They end with the stack.
  for (const chat of chats) sendTurn(stack.baseUrl, chat, plan, () => {}).catch(() => {})
  for (let live = 0; live < chats.length; await pause(200)) {
    const [row] = await stack.db<{ live: number }[]>`
      select count(*)::int as live from stream_head join runs on runs.id = run_id
      where status = 'running' and open_step is not null`
    live = row?.live ?? 0
    if (clockMicroseconds() > beginAt) throw new Error(`only ${live} turns wait for their model`)
  }
  await pause(3000)
  const during = read()
  const inDetail = Object.keys(parts).map(
    (name, place) => `${name} ${before[place]?.toFixed(0)} and ${during[place]?.toFixed(0)}`,
  )
  return {
    name: `memory that ${chats.length} turns take`,
    ...measureSpread([sum(during) - sum(before)]),
    unit: 'MB',
    how: 'of all processes but the client and the fake model, once each turn waits for the first token of its model, less the same at rest before',
    detail: `at rest and then: ${inDetail.join(', ')}`,
  }
}

function sum(figures: number[]): number {
  return figures.reduce((all, each) => all + each, 0)
}
