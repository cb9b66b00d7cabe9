import type { LanguageModelV3Prompt } from '@ai-sdk/provider'
import type { TurnState } from '../../db/turns/context.ts'
import { contextCap, promptTokens, withinContext } from '../../domain/chat/prompt/context.ts'
import { compacted, earlierTurns, summarySection, type HistorySummary } from '../../domain/chat/prompt/compaction.ts'
import { withoutRefused } from '../../domain/chat/prompt/refused.ts'
import { toStoredMessage, type RequestMessage, type StoredMessage, type UiMessage } from '../../domain/chat/messages.ts'
import { legalPrompt } from '../../domain/chat/prompt/legal.ts'
import { callerInstructions, toPrompt } from '../../domain/chat/prompt/prompt.ts'
import type { Skill } from '../../domain/tools/skills.ts'
import { systemPrompt } from '../../domain/chat/prompt/system-prompt.ts'
import type { Usage } from '../../domain/credits/usage.ts'
import type { ModelDescription } from '../../providers/model/index.ts'

/** What a model call is made from: the history of the turn and the answer so far. */
export type TurnContext = {
  prompt: LanguageModelV3Prompt
  /** The messages that the prompt is made from, as far as they have room. */
  shown: readonly Pick<UiMessage, 'id' | 'role' | 'parts'>[]
  /** Estimated prompt, system prompt and tools left out. */
  inputTokens: number
  /** What no later step of the turn can do without, of the history that the client sent. */
  neededInput: readonly RequestMessage[]
  /** Estimated history, also of what the model has no room for. */
  historyTokens: number
  /** Whether there are messages before the last one of the user that no summary stands for. */
  hasEarlierTurns: boolean
  /** Totals of the message that this turn continues. */
  totals: { usage?: Usage; cost?: number; finishReasons: { finishReason: string; rawFinishReason?: string }[] }
}

/** The turn as its ids led to it: nothing of it travels through the engine. */
export function contextOf(
  { run, input, answer, artistId, summaries, refusals }: TurnState,
  options: { model: ModelDescription; workingDirectory: string; skills: readonly Skill[] },
): TurnContext {
  const sent = input.filter((message) => message.id !== run.assistantMessageId).map(toStoredMessage)
  const { summary, rest } = compacted(sent, summaries)
  const shown = withoutRefused([...rest, ...(answer === undefined ? [] : [answer])], refusals)
  const history = toPrompt(shown)
  const kept = withinContext(history, contextCap(run.contextLimit, options.model))
  return {
    prompt: [
      {
        role: 'system',
        content: systemPrompt({
          workingDirectory: options.workingDirectory,
          accountId: run.accountId,
          artistId,
          skills: options.skills.filter((skill) => !skill.modelInvocationDisabled),
          summary: summary && summarySection(summary),
          instructions: callerInstructions(sent),
        }),
      },
      ...legalPrompt(kept, options.model.inputs),
    ],
    shown,
    inputTokens: promptTokens(kept),
    neededInput: summary ? unsummarised(input, summary) : neededOf(input, history.length - kept.length),
    historyTokens: promptTokens(history),
    hasEarlierTurns: earlierTurns(rest).length > 0,
    totals: totalsOf(answer),
  }
}

/** The answer only grows and leaves ever less room: what does not fit before it now never will. */
function neededOf(input: readonly RequestMessage[], unfit: number): readonly RequestMessage[] {
  let dropped = 0
  const from = input.findIndex((message) => (dropped += toPrompt([toStoredMessage(message)]).length) > unfit)
  return from === -1 ? input : input.filter(({ role }, at) => at >= from || role === 'system')
}

/** The last message that the summary stands for is kept: by it later steps know that the summary fits. */
function unsummarised(input: readonly RequestMessage[], { messageIds }: HistorySummary): readonly RequestMessage[] {
  const end = input.findIndex(({ id }) => id === messageIds.at(-1))
  return input.filter(({ role }, at) => at >= end || role === 'system')
}

function totalsOf(answer: StoredMessage | undefined): TurnContext['totals'] {
  const metadata = answer?.metadata ?? {}
  const usage = metadata['totalMessageUsage'] as Usage | undefined
  const cost = metadata['totalMessageCost']
  return {
    ...(usage === undefined ? {} : { usage }),
    ...(typeof cost === 'number' ? { cost } : {}),
    finishReasons: (metadata['stepFinishReasons'] as TurnContext['totals']['finishReasons'] | undefined) ?? [],
  }
}
