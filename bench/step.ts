import { startBareEngine } from './bare-engine.ts'
import { compare, median, quantile, ratioOf, spreadOf } from './measure.ts'
import type { Bench, Rounds } from './measure.ts'
import { planText } from './plan.ts'
import type { Plan } from './plan.ts'
import type { OpenChat, Stack } from './stack.ts'
import { sendTurn } from './turn.ts'

const opening = '"start-step"'

/** Milliseconds of each step of one turn: from its `start-step` to the next one's, as the client gets them. */
const timeSteps = async (stack: Stack, chat: OpenChat, plan: Plan): Promise<number[]> => {
  const begun: number[] = []
  let rest = ''
  await sendTurn(stack.baseUrl, chat, planText(plan), (text) => {
    rest += text
    const events = rest.split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) if (event.includes(opening)) begun.push(performance.now())
  })
  return gaps(begun)
}

const gaps = (moments: number[]): number[] => moments.slice(1).map((at, place) => at - (moments[place] ?? Number.NaN))

/** Where the straight line through the medians ends, over where it begins: least squares. */
const slopeOf = (turns: number[][]): number => {
  const steps = turns[0]?.length ?? 0
  const medians = Array.from({ length: steps }, (_, step) => median(turns.map((turn) => turn[step] ?? Number.NaN)))
  const middle = (steps - 1) / 2
  const mean = medians.reduce((sum, ms) => sum + ms, 0) / steps
  const rise =
    medians.reduce((sum, ms, step) => sum + (step - middle) * ms, 0) /
    medians.reduce((sum, _, step) => sum + (step - middle) ** 2, 0)
  return (mean + rise * middle) / (mean - rise * middle)
}

// The first turn warms up.
const slope = (turns: number[][]) => {
  const counted = turns.slice(1)
  const parts = [0, 1, 2].map((part) => slopeOf(counted.filter((_, at) => at % 3 === part)))
  return { ...spreadOf(parts), value: slopeOf(counted) }
}

const ends = (turns: number[][]): string => {
  const at = (from: number, to: number): string =>
    quantile(
      turns.slice(1).flatMap((turn) => turn.slice(from, to)),
      0.5,
    ).toFixed(1)
  return `steps 1 to 10 ${at(0, 10)} ms, steps 41 to 50 ${at(40, 50)} ms`
}

const sides = ({ ours, control }: Rounds): string =>
  `${median(ours).toFixed(1)} ms, bare ${median(control).toFixed(1)} ms`

export const step: Bench = {
  name: 'step',
  run: async (stack, { quick }) => {
    const bare = await startBareEngine(stack)
    const chats = await stack.openChats(quick ? 40 : 400)
    const nextChat = (): OpenChat => {
      const chat = chats.pop()
      if (chat === undefined) throw new Error('no chat is left')
      return chat
    }
    const steps = 51
    const rounds = quick ? 3 : 12
    const bareSteps = async (activities: number): Promise<number> => {
      const each = gaps(await bare.run(activities * steps)).map((microseconds) => microseconds / 1000)
      return median(each) * activities
    }
    const turn = async (tool: Plan['tool'], kept: number[][]): Promise<number> => {
      const each = await timeSteps(stack, nextChat(), { tokens: 1, perSecond: 0, steps, tool })
      kept.push(each)
      return median(each)
    }
    const plain: number[][] = []
    const calls = await compare({ rounds, ours: () => turn('none', plain), control: () => bareSteps(1) })
    const tooled: number[][] = []
    const tools = await compare({ rounds, ours: () => turn('todo', tooled), control: () => bareSteps(2) })
    await bare.close()
    return [
      {
        name: 'model call',
        ...ratioOf(calls),
        unit: 'x',
        aim: { atMost: 1.25 },
        how: 'median step of a turn of 51: one model call that is answered at once with a call that needs no tool run; over one empty eager activity of a minimal worker on the same Temporal',
        detail: sides(calls),
      },
      {
        name: 'model call and tool',
        ...ratioOf(tools),
        unit: 'x',
        aim: { atMost: 1.25 },
        how: 'median step of a turn of 51: a model call that is answered at once and the run of one trivial tool; over two empty eager activities, one after the other',
        detail: sides(tools),
      },
      {
        name: 'slope, model call',
        ...slope(plain),
        unit: 'x',
        aim: { atMost: 1.05 },
        how: 'a straight line through the medians of steps 1 to 50 of all turns: its end over its beginning; the spread is that of thirds of the turns',
        detail: ends(plain),
      },
      {
        name: 'slope, model call and tool',
        ...slope(tooled),
        unit: 'x',
        aim: { atMost: 1.05 },
        how: 'as above, for steps with a tool',
        detail: ends(tooled),
      },
    ]
  },
}
