import type { ModelFault, Plan, PlannedCall, Round } from '../external-services/plan.ts'
import type { Random } from '../../world/random.ts'

/** Relative frequency of each kind of turn. */
export type Mix = {
  /** A short text. */
  plain: number
  /** A text of several hundred words. */
  long: number
  /** Several steps with commands that have effects. */
  tools: number
  /** A turn that is started without a stream and polled. */
  headless: number
  /** A turn that is stopped at a random time. */
  stop: number
  /** One request that is sent twice in parallel with one key. */
  duplicate: number
  /** Two parallel requests to one chat, one of which is rejected. */
  conflict: number
  question: number
  /** A turn during which other messages are queued, interrupt it or steer it. */
  queue: number
  /** A turn with faults of the model. */
  fault: number
  /** A turn whose session is deleted during the run. */
  delete: number
}

export const defaultMix: Mix = {
  plain: 22,
  long: 6,
  tools: 24,
  headless: 8,
  stop: 12,
  duplicate: 6,
  conflict: 6,
  question: 7,
  queue: 9,
  fault: 12,
  delete: 1,
}

/** One message of a user, which is determined before it is sent. */
export type Request = { key: string; messageId: string; plan: Plan }

type FollowUp = { request: Request; onBusy: 'queue' | 'interrupt' | 'steer'; afterMs: number }

/** Behavior of the reader of a response. */
export type Habit = {
  /** Disconnections after a number of frames of one response. `reload`: the reader then starts at the first frame. */
  disconnections: { afterFrames: number; awayMs: number; reload: boolean }[]
  /** Whether the last disconnection is permanent. */
  isPermanent: boolean
  hasSecondTab: boolean
  /** Whether the log is read again after the end of the run. */
  readsAgain: boolean
  reloads: boolean
}

export type Turn = {
  kind: keyof Mix
  request: Request
  /** A message that is sent to the same chat in parallel. */
  rival: Request | undefined
  /** Milliseconds from the accept to each stop or deletion. */
  endsAfterMs: number[]
  /** Messages that are sent to the same chat during the turn. `afterMs`: time after the previous message. */
  followUps: FollowUp[]
  /** The answer to a question of the agent. */
  answer: Request | undefined
  habit: Habit
  /** Location of the turn relative to the previous one. */
  place: 'same chat' | 'new chat' | 'new session'
  /** Pause before the turn. */
  thinkMs: number
}

const drawKind = (random: Random, mix: Mix): keyof Mix => {
  const kinds = Object.entries(mix) as [keyof Mix, number][]
  let remaining = random.next() * kinds.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [kind, weight] of kinds) {
    remaining -= weight
    if (remaining < 0) return kind
  }
  return 'plain'
}

const drawEffect = (random: Random, token: string): PlannedCall => ({
  tool: 'effect',
  token,
  beforeMs: random.chance(0.5) ? random.between(50, 1200) : 0,
  afterMs: random.chance(0.5) ? random.between(50, 1200) : 0,
})

const drawText = (random: Random, minWords: number, maxWords: number): Round => ({
  words: random.between(minWords, maxWords),
  ...(random.chance(0.2) && { thoughts: random.between(1, 15) }),
  ...(random.chance(0.25) && { manner: random.pick(['two-finishes', 'no-finish', 'bytewise', 'comments'] as const) }),
})

const drawTask = (random: Random, name: string): PlannedCall => ({
  tool: 'task',
  plan: {
    id: name,
    wordsPerSecond: random.between(15, 80),
    rounds: [
      { words: random.between(1, 12), calls: [drawEffect(random, `${name}-0`), drawEffect(random, `${name}-1`)] },
      drawText(random, 5, 40),
    ],
  },
})

const drawCalls = (random: Random, prefix: string): Round => {
  const effects = Array.from({ length: random.between(1, 3) }, (_, index) => drawEffect(random, `${prefix}-${index}`))
  const calls = random.chance(0.1) ? [...effects, { tool: 'no_such_tool' } as const] : effects
  if (random.chance(0.15)) calls.push(drawTask(random, `${prefix}-t`))
  return {
    words: random.chance(0.6) ? random.between(1, 12) : 0,
    calls,
    ...(random.chance(0.2) && { manner: random.pick(['whole-calls', 'bytewise'] as const) }),
  }
}

const passingFaults = ['cut', 'garbage', 'error', 'unfinished'] as const

const drawFault = (random: Random): ModelFault =>
  random.chance(0.4)
    ? random.chance(0.5)
      ? { kind: 'status', status: 429, retryAfterSeconds: random.between(0, 2) }
      : { kind: 'status', status: random.pick([500, 503] as const) }
    : { kind: random.pick(passingFaults), words: random.between(0, 12) }

const drawFaults = (random: Random): ModelFault[] => {
  if (random.chance(0.1)) return [{ kind: 'status', status: 400 }]
  const count = random.chance(0.1) ? 3 : random.between(1, 2)
  return Array.from({ length: count }, () => drawFault(random))
}

/** Draws a fault that keeps a turn running until it is stopped. */
const drawEndless = (random: Random): ModelFault =>
  random.chance(0.4)
    ? { kind: 'hang' }
    : { kind: random.pick(['endless', 'silence'] as const), words: random.between(0, 10) }

const drawRounds = (random: Random, kind: keyof Mix, id: string): Round[] => {
  const text = (low = 5, high = 60): Round => drawText(random, low, high)
  const calls = (round: number): Round => drawCalls(random, `fx-${id}-${round}`)
  switch (kind) {
    case 'long':
      return [text(200, 500)]
    case 'tools':
      return [...Array.from({ length: random.between(1, 4) }, (_, index) => calls(index)), text()]
    case 'queue':
      return [calls(0), calls(1), text(20, 80)]
    case 'headless':
    case 'duplicate':
    case 'conflict':
      return random.chance(0.5) ? [text()] : [calls(0), text()]
    case 'delete':
    case 'stop': {
      const rounds = random.chance(0.5) ? [text(40, 150)] : [calls(0), calls(1), text(20, 80)]
      if (!random.chance(0.4)) return rounds
      const faultIndex = random.between(0, rounds.length - 1)
      return rounds.map((round, index) => (index === faultIndex ? { ...round, faults: [drawEndless(random)] } : round))
    }
    case 'question': {
      const questionCall: PlannedCall = { tool: 'ask_user_question' }
      const others = random.chance(0.4) ? [drawEffect(random, `fx-${id}-0-0`)] : []
      return [{ words: random.between(1, 20), calls: [...others, questionCall] }, calls(1), text()]
    }
    case 'fault': {
      const rounds = random.chance(0.5) ? [text()] : [calls(0), text()]
      const faultIndex = random.between(0, rounds.length - 1)
      const faults = drawFaults(random)
      return rounds.map((round, index) => (index === faultIndex ? { ...round, faults } : round))
    }
    case 'plain':
      return [text()]
    default:
      return kind satisfies never
  }
}

const drawRequest = (random: Random, name: string, kind: keyof Mix): Request => {
  const wordsPerSecond = kind === 'long' ? random.between(50, 100) : random.between(15, 80)
  return {
    key: name,
    messageId: `message-${name}`,
    plan: { id: name, wordsPerSecond, rounds: drawRounds(random, kind, name) },
  }
}

const drawHabit = (random: Random, kind: keyof Mix): Habit => {
  const disconnections = random.chance(0.4)
    ? Array.from({ length: random.between(1, 3) }, () => ({
        afterFrames: random.between(1, 40),
        awayMs: random.between(0, 1500),
        reload: random.chance(0.3),
      }))
    : []
  const mayDisconnect = kind === 'plain' || kind === 'long' || kind === 'tools' || kind === 'fault'
  return {
    disconnections,
    isPermanent: mayDisconnect && disconnections.length > 0 && random.chance(0.3),
    hasSecondTab: random.chance(0.2),
    readsAgain: random.chance(0.3),
    reloads: random.chance(0.7),
  }
}

const drawFollowUps = (random: Random, name: string): FollowUp[] =>
  Array.from({ length: random.between(1, 3) }, (_, index) => ({
    request: drawRequest(random.fork(`${index}`), `${name}q${index}`, 'plain'),
    onBusy: random.pick(['queue', 'queue', 'interrupt', 'steer'] as const),
    afterMs: random.between(0, random.pick([50, 500, 2000])),
  }))

const withShownEffects = (request: Request): Request => ({
  ...request,
  plan: { ...request.plan, showsEffects: true },
})

/** Returns the turn with commands that print the files of all earlier commands. */
export const showEffects = (turn: Turn): Turn => ({
  ...turn,
  request: withShownEffects(turn.request),
  rival: turn.rival && withShownEffects(turn.rival),
  answer: turn.answer && withShownEffects(turn.answer),
  followUps: turn.followUps.map((followUp) => ({ ...followUp, request: withShownEffects(followUp.request) })),
})

/** Draws the turn of a user from a separate random source, so that earlier events do not affect it. */
export const drawTurn = (random: Random, name: string, mix: Mix): Turn => {
  const kind = drawKind(random, mix)
  const request = drawRequest(random.fork('request'), name, kind)
  const endCount = kind === 'stop' ? (random.chance(0.2) ? 2 : 1) : kind === 'delete' ? 1 : 0
  const maxDelayMs = random.pick([0, 50, 500, 3000])
  return {
    kind,
    request,
    rival: kind === 'conflict' ? drawRequest(random.fork('rival'), `${name}r`, kind) : undefined,
    endsAfterMs: Array.from({ length: endCount }, () => random.between(0, maxDelayMs)),
    followUps: kind === 'queue' ? drawFollowUps(random.fork('behind'), name) : [],
    answer:
      kind === 'question' && random.chance(0.8)
        ? { ...request, key: `${name}a`, messageId: `message-${name}a` }
        : undefined,
    habit: drawHabit(random.fork('habit'), kind),
    // A new session limits the deletion to this turn.
    place: kind === 'delete' || random.chance(0.04) ? 'new session' : random.chance(0.12) ? 'new chat' : 'same chat',
    thinkMs: random.between(0, 400),
  }
}
