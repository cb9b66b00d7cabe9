import type { LanguageModelV3Prompt } from '@ai-sdk/provider'
import type { Db } from '../../db/client.ts'
import { findMessage } from '../../db/messages.ts'
import { listRunInput } from '../../db/runs.ts'
import type { Run } from '../../db/runs.ts'
import { findSession } from '../../db/sessions.ts'
import { contextCap, promptTokens, withinContext } from '../../domain/context.ts'
import { toStoredMessage } from '../../domain/messages.ts'
import type { StoredMessage } from '../../domain/messages.ts'
import { callerInstructions, toPrompt } from '../../domain/prompt.ts'
import { systemPrompt } from '../../domain/system-prompt.ts'
import type { Usage } from '../../domain/usage.ts'
import type { ModelDescription } from '../../providers/model/index.ts'

/** What a model call is made from: the history of the turn and the answer so far. */
export type TurnContext = {
  prompt: LanguageModelV3Prompt
  /** Estimated prompt, system prompt and tools left out. */
  inputTokens: number
  /** Totals of the message that this turn continues. */
  totals: { usage?: Usage; cost?: number; finishReasons: { finishReason: string; rawFinishReason?: string }[] }
}

const totalsOf = (answer: StoredMessage | undefined): TurnContext['totals'] => {
  const metadata = answer?.metadata ?? {}
  const usage = metadata['totalMessageUsage'] as Usage | undefined
  const cost = metadata['totalMessageCost']
  return {
    ...(usage === undefined ? {} : { usage }),
    ...(typeof cost === 'number' ? { cost } : {}),
    finishReasons: (metadata['stepFinishReasons'] as TurnContext['totals']['finishReasons'] | undefined) ?? [],
  }
}

/** Loads the turn by its ids: nothing of it travels through the engine. */
export const loadContext = async (
  db: Db,
  run: Run,
  options: { model: ModelDescription; workingDirectory: string },
): Promise<TurnContext> => {
  const [input, answer, session] = await Promise.all([
    listRunInput(db, run.id),
    findMessage(db, run.chatId, run.assistantMessageId),
    findSession(db, run.sessionId),
  ])
  const sent = input.filter((message) => message.id !== run.assistantMessageId).map(toStoredMessage)
  const history = toPrompt([...sent, ...(answer === undefined ? [] : [answer])])
  const kept = withinContext(history, contextCap(run.contextLimit, options.model))
  return {
    prompt: [
      {
        role: 'system',
        content: systemPrompt({
          workingDirectory: options.workingDirectory,
          accountId: run.accountId,
          artistId: session?.artistId ?? null,
          skills: [],
          instructions: callerInstructions(sent),
        }),
      },
      ...kept,
    ],
    inputTokens: promptTokens(kept),
    totals: totalsOf(answer),
  }
}
