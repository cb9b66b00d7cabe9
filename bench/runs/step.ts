import { startBareEngine } from '../bare/engine.ts'
import {
  measureDifference,
  compare,
  median,
  quantile,
  measureRatio,
  describeMedians,
  fitSlope,
  measureSpread,
  type Bench,
  type Row,
} from '../measure.ts'
import { createMeter } from '../processes/meter.ts'
import { encodePlan, type Plan } from '../stack/plan.ts'
import type { OpenChat, Stack } from '../stack/stack.ts'
import { sendTurn } from '../stack/turn.ts'

export const step: Bench = {
  name: 'step',
  run: async (stack, { quick }) => {
    const chats = await stack.openChats(110)
    const bare = await startBareEngine(stack)
    const nextChat = (): OpenChat => {
      const chat = chats.pop()
      if (chat === undefined) throw new Error('no chat is left')
      return chat
    }
    const steps = 51
    const rounds = quick ? 3 : 12
    const bareSteps = async (activities: number): Promise<number> => {
      const durations = computeGaps(await bare.run(activities * steps)).map((microseconds) => microseconds / 1000)
      return median(durations) * activities
    }
    const bareWork = async (): Promise<number> => median(computeGaps(await bare.runSteps(steps))) / 1000
    const turn = async (tool: Plan['tool'], turnSteps: number[][]): Promise<number> => {
      const durations = await timeSteps(stack, nextChat(), { tokens: 1, perSecond: 0, steps, tool })
      turnSteps.push(durations)
      return median(durations)
    }
    const kinds = [
      { name: 'model call', tool: 'none', activities: 1, text: 'with a tool call that runs nothing' },
      { name: 'model call and todo', tool: 'todo', activities: 2, text: 'with a call of a tool that only returns' },
      {
        name: 'model call and read',
        tool: 'read',
        activities: 2,
        text: 'with a tool call that reads a file in the sandbox',
      },
    ] as const
    const rows: Row[] = []
    for (const { name, tool, activities, text } of kinds) {
      const turns: number[][] = []
      const both = await compare({ rounds, ours: () => turn(tool, turns), control: () => bareSteps(activities) })
      const baseline =
        activities === 1 ? 'one empty eager activity' : 'two empty eager activities, one after the other,'
      rows.push(
        {
          name,
          ...measureRatio(both),
          unit: 'x',
          // A step that uses the sandbox has no aim: the cost of the sandbox is not part of durability.
          ...(tool !== 'read' && { aim: { atMost: 1.25 } }),
          how: `median step of a turn of ${steps}: a model call that is answered immediately ${text}; relative to ${baseline} of a minimal worker on the same Temporal`,
          detail: describeMedians(both, 'bare'),
        },
        {
          name: `slope, ${name}`,
          ...measureSlope(turns),
          unit: 'x',
          aim: { atMost: 1.05 },
          how: `ratio of the end to the beginning of a least-squares line through the medians of steps 1 to ${steps - 1} of all turns; the spread is across thirds of the turns`,
          detail: describeEnds(turns),
        },
      )
    }
    const reading = await compare({ rounds, ours: () => turn('read', []), control: () => turn('todo', []) })
    rows.push({
      name: 'model call and read: time added to todo',
      ...measureDifference(reading),
      unit: 'ms',
      aim: { atMost: 15 },
      how: 'the same steps, alternated; the difference is the cost of the sandbox, its receipt and the program that reads',
      detail: describeMedians(reading, 'todo'),
    })
    const { worker, postgres, api, temporal, model } = stack.parts
    const shared = { Postgres: postgres, Temporal: temporal, 'the fake model': model }
    const ours = createMeter({ worker, API: api, ...shared }, { warmUp: 1 })
    const control = createMeter({ worker: bare, ...shared }, { warmUp: 1 })
    const both = await compare({
      rounds,
      ours: () =>
        ours.during(
          () => turn('none', []),
          () => steps,
        ),
      control: () => control.during(bareWork, () => steps),
    })
    rows.push({
      name: 'model call: relative to bare work',
      ...measureRatio(both),
      unit: 'x',
      aim: { atMost: 1.25 },
      how: 'the same step, relative to an eager activity of the minimal worker that reads one row, writes two, makes the same call and writes eleven rows in one statement, in tables with the same columns and indexes. This is the minimum for durability',
      detail: describeMedians(both, 'bare'),
    })
    rows.push({
      name: 'model call: CPU time added to bare work',
      ...measureDifference({
        ours: ours.computeSums().map(toMilliseconds),
        control: control.computeSums().map(toMilliseconds),
      }),
      unit: 'ms',
      how: 'CPU time of all processes except the client, read from /proc, while both sides alternate their steps; the figures are for one step of Backline and one bare step',
      detail: ['worker', 'API', ...Object.keys(shared)]
        .map((name) => {
          const [cost, bareCost] = [ours, control].map((side) => toMilliseconds(side.computeMedian(name)).toFixed(1))
          return `${name} ${cost} and ${bareCost}`
        })
        .join(', '),
    })
    await bare.close()
    return rows
  },
}

function toMilliseconds(microseconds: number): number {
  return microseconds / 1000
}

function computeGaps(times: number[]): number[] {
  return times.slice(1).map((time, index) => time - (times[index] ?? Number.NaN))
}

/** Returns the milliseconds between the ends of consecutive steps of a turn, as stored in their rows. */
async function timeSteps(stack: Stack, chat: OpenChat, plan: Plan): Promise<number[]> {
  await sendTurn(stack.baseUrl, chat, encodePlan(plan), () => {})
  const ends = await stack.db<{ ms: number }[]>`
    select extract(epoch from run_steps.created_at)::float8 * 1000 as ms
    from run_steps join runs on runs.id = run_id where chat_id = ${chat.chatId} order by step`
  if (ends.length !== plan.steps) throw new Error(`the turn took ${ends.length} steps`)
  return computeGaps(ends.map(({ ms }) => ms))
}

function describeEnds(turns: number[][]): string {
  const at = (from: number, to: number): string =>
    quantile(
      turns.slice(1).flatMap((turn) => turn.slice(from, to)),
      0.5,
    ).toFixed(1)
  return `steps 1 to 10 ${at(0, 10)} ms, steps 41 to 50 ${at(40, 50)} ms`
}

// The first turn warms up.
function measureSlope(turns: number[][]) {
  const counted = turns.slice(1)
  const parts = [0, 1, 2].map((part) => fitSlope(counted.filter((_, index) => index % 3 === part)))
  return { ...measureSpread(parts), value: fitSlope(counted) }
}
