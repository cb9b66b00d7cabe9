/** A tool call that the planned model requests. */
export type PlannedCall =
  /** A command that writes `token` to `effects.txt` in the working directory, with pauses around it. */
  | {
      tool: 'effect'
      token: string
      beforeMs: number
      afterMs: number
      /** Requires approval by a person. */ asks?: true
    }
  /** A sub-agent whose model follows its own plan. */
  | { tool: 'task'; plan: Plan }
  | { tool: 'ask_user_question' }
  | { tool: 'no_such_tool' }

/** A fault of one model call. `words`: number of words before the fault. */
export type ModelFault =
  | { kind: 'status'; status: 400 | 429 | 500 | 503; retryAfterSeconds?: number }
  | { kind: 'hang' }
  | { kind: 'cut' | 'garbage' | 'error' | 'silence' | 'unfinished' | 'endless'; words: number }

/** One model call of a turn: its text, then its calls. */
export type Round = {
  words: number
  /** Words of reasoning before the text. */
  thoughts?: number
  calls?: PlannedCall[]
  /** Unusual form of a complete response. */
  manner?: 'two-finishes' | 'no-finish' | 'bytewise' | 'whole-calls' | 'comments' | 'half-tokens' | 'endless-price'
  /**
   * The first fault affects attempt 1, the second fault attempt 2, and so on. Later attempts succeed. A head start,
   * attempt 0, has the fault of attempt 1. A failed head start counts as the first attempt.
   */
  faults?: ModelFault[]
}

/** The responses of the model for one turn. The user's message contains the plan, so a repeated call has the same response. */
export type Plan = {
  id: string
  wordsPerSecond: number
  rounds: Round[]
  /** Commands with effects also write to `~/effects.txt`, and print both files at their end. */
  showsEffects?: true
}

const opening = 'Follow this plan: '

export const writePlan = (plan: Plan): string => opening + JSON.stringify(plan)

export const parsePlan = (text: string): Plan | undefined => {
  if (!text.startsWith(opening)) return undefined
  try {
    // The instructions of a sub-agent follow the line with its plan.
    return JSON.parse(text.slice(opening.length).split('\n', 1)[0] ?? '') as Plan
  } catch {
    return undefined
  }
}

const buildWord = (plan: Plan, round: string, index: number): string =>
  `${plan.id}.${round}.${index}${index % 7 === 3 ? 'é' : ''}${index % 11 === 5 ? '🎵\n' : ''}`

const joinWords = (plan: Plan, round: string, count: number): string =>
  Array.from({ length: count }, (_, index) => buildWord(plan, round, index)).join(' ')

export const plannedText = (plan: Plan, roundIndex: number): string =>
  joinWords(plan, String(roundIndex), plan.rounds[roundIndex]?.words ?? 0)

export const plannedThoughts = (plan: Plan, roundIndex: number): string =>
  joinWords(plan, `r${roundIndex}`, plan.rounds[roundIndex]?.thoughts ?? 0)

const isEndless = ({ faults = [] }: Round): boolean => faults.some((fault) => fault.kind === 'endless')

const needsPerson = ({ calls = [] }: Round): boolean =>
  calls.some((call) => call.tool === 'ask_user_question' || (call.tool === 'effect' && call.asks === true))

const listTokens = ({ calls = [] }: Round): string[] =>
  calls.flatMap((call) =>
    call.tool === 'effect' ? [call.token] : call.tool === 'task' ? call.plan.rounds.flatMap(listTokens) : [],
  )

export type Expectation = {
  /** Joined visible text of the run's steps, or undefined if an endless response makes it unpredictable. */
  text: string | undefined
  /** Tokens of the effects that the run has exactly once. */
  tokens: string[]
  /**
   * First round of the run that continues with the answer or the approval. Undefined if the run asks for neither.
   */
  next: number | undefined
}

/** Returns the expected result of a successful run of the turn that starts with round `from`. */
export const deriveExpectation = (plan: Plan, from = 0): Expectation => {
  const rest = plan.rounds.slice(from)
  const question = rest.findIndex(needsPerson)
  const completedRounds = question === -1 ? rest : rest.slice(0, question + 1)
  return {
    text: completedRounds.some(isEndless)
      ? undefined
      : completedRounds.map((_, index) => plannedText(plan, from + index)).join(''),
    tokens: completedRounds.flatMap(listTokens),
    next: question === -1 ? undefined : from + completedRounds.length,
  }
}

/** The plan of a request for a summary. The request quotes the plans of earlier turns, which do not apply to it. */
const summaryPlan: Plan = { id: 'summary', wordsPerSecond: 500, rounds: [{ words: 40 }] }

type WireMessage = { role?: unknown; content?: unknown }

const readContentText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part: { text?: unknown }) => (typeof part.text === 'string' ? part.text : '')).join('')
      : ''

/** Whether a message only reports a loss of the sandbox's files, which may happen during a turn. */
const isLossNotice = (text: string): boolean =>
  text.startsWith('The machine of the sandbox was lost') && !text.includes(opening)

/** Returns the plan and the round of a request. Each assistant message after the last user message is a completed round. */
export const findRound = (messages: readonly unknown[]): { plan: Plan; roundIndex: number } | undefined => {
  const wire = messages as readonly WireMessage[]
  const lastUser = wire.findLastIndex(({ role, content }) => role === 'user' && !isLossNotice(readContentText(content)))
  const text = readContentText(wire[lastUser]?.content)
  if (text.includes(`> ${opening}`)) return { plan: summaryPlan, roundIndex: 0 }
  // Consecutive messages of one author arrive joined in order, so the last plan applies.
  const plan = parsePlan(text.slice(Math.max(0, text.lastIndexOf(opening))))
  if (plan === undefined) return undefined
  return { plan, roundIndex: wire.slice(lastUser + 1).filter((message) => message.role === 'assistant').length }
}
