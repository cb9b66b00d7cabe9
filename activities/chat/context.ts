import type { LanguageModelV3Prompt } from '@ai-sdk/provider'
import type { Run } from '../../db/runs/runs.ts'
import type { TurnState } from '../../db/turns/context.ts'
import { contextCap, promptTokens, withinContext } from '../../domain/chat/prompt/context.ts'
import {
  applySummaries,
  earlierTurns,
  summarySection,
  type HistorySummary,
} from '../../domain/chat/prompt/compaction.ts'
import { replaceRefused } from '../../domain/chat/prompt/refused.ts'
import { toStoredMessage, type RequestMessage, type StoredMessage, type UiMessage } from '../../domain/chat/messages.ts'
import { cachedByIdentity } from '../../domain/chat/prompt/identity-cache.ts'
import { toValidPrompt } from '../../domain/chat/prompt/valid-prompt.ts'
import { callerInstructions, toPrompt } from '../../domain/chat/prompt/prompt.ts'
import type { Skill } from '../../domain/tools/skills.ts'
import { systemPrompt } from '../../domain/chat/prompt/system-prompt.ts'
import type { Usage } from '../../domain/credits/usage.ts'
import type { ModelDescription } from '../../providers/model/index.ts'

/** Input of a model call: the history of the turn and its output so far. */
export type TurnContext = {
  prompt: LanguageModelV3Prompt
  /** The messages in the prompt, without summarized messages and refused content. */
  promptMessages: readonly Pick<UiMessage, 'id' | 'role' | 'parts'>[]
  /** Estimated tokens of the prompt, without system prompt and tools. */
  inputTokens: number
  /** The messages of the client's history that later steps of the turn may still need. */
  neededInput: readonly RequestMessage[]
  /** Estimated tokens of the history, including messages that do not fit into the context window. */
  historyTokens: number
  /** True if messages before the last user message are not covered by a summary. */
  hasEarlierTurns: boolean
  /** Totals of the message that this turn continues. */
  totals: { usage?: Usage; cost?: number; finishReasons: { finishReason: string; rawFinishReason?: string }[] }
}

const toCachedMessage = cachedByIdentity((message: RequestMessage) => toStoredMessage(message))

/** The steps of a turn share the message, so that the conversions of the prompt can continue from the previous step. */
const systemMessage = cachedByIdentity((_run: Run, content: string) => ({ role: 'system' as const, content }))

/** Builds the model context from the stored turn. Message content never passes through the engine. */
export function buildContext(
  { run, input, answer, artistId, summaries, refusals }: TurnState,
  options: { model: ModelDescription; workingDirectory: string; skills: readonly Skill[] },
): TurnContext {
  const inputMessages = input
    .filter((message) => message.id !== run.assistantMessageId)
    .map((message) => toCachedMessage(message))
  const { summary, rest } = applySummaries(inputMessages, summaries)
  const promptMessages = replaceRefused([...rest, ...(answer === undefined ? [] : [answer])], refusals)
  const history = toPrompt(promptMessages)
  const fittingMessages = withinContext(history, contextCap(run.contextLimit, options.model))
  return {
    prompt: [
      systemMessage(
        run,
        systemPrompt({
          workingDirectory: options.workingDirectory,
          accountId: run.accountId,
          artistId,
          skills: options.skills.filter((skill) => !skill.modelInvocationDisabled),
          summary: summary && summarySection(summary),
          instructions: callerInstructions(inputMessages),
        }),
      ),
      ...toValidPrompt(fittingMessages, options.model.inputs),
    ],
    promptMessages,
    inputTokens: promptTokens(fittingMessages),
    neededInput: summary
      ? dropSummarized(input, summary)
      : dropOverflow(input, history.length - fittingMessages.length),
    historyTokens: promptTokens(history),
    hasEarlierTurns: earlierTurns(rest).length > 0,
    totals: readTotals(answer),
  }
}

/** Drops the messages that do not fit into the context window. Later steps cannot fit them either: the output only grows. */
function dropOverflow(input: readonly RequestMessage[], droppedCount: number): readonly RequestMessage[] {
  let count = 0
  if (droppedCount === 0) return input
  const from = input.findIndex((message) => (count += toPrompt([toStoredMessage(message)]).length) > droppedCount)
  return from === -1 ? input : input.filter(({ role }, index) => index >= from || role === 'system')
}

/** Drops summarized messages except the last one, whose id shows later steps that the summary applies. */
function dropSummarized(input: readonly RequestMessage[], { messageIds }: HistorySummary): readonly RequestMessage[] {
  const end = input.findIndex(({ id }) => id === messageIds.at(-1))
  return input.filter(({ role }, index) => index >= end || role === 'system')
}

function readTotals(answer: StoredMessage | undefined): TurnContext['totals'] {
  const metadata = answer?.metadata ?? {}
  const usage = metadata['totalMessageUsage'] as Usage | undefined
  const cost = metadata['totalMessageCost']
  return {
    ...(usage === undefined ? {} : { usage }),
    ...(typeof cost === 'number' ? { cost } : {}),
    finishReasons: (metadata['stepFinishReasons'] as TurnContext['totals']['finishReasons'] | undefined) ?? [],
  }
}
