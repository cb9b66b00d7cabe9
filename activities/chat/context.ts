import type { LanguageModelV3Prompt } from '@ai-sdk/provider'
import type { Db } from '../../db/client.ts'
import { findMessage } from '../../db/messages.ts'
import type { Run } from '../../db/runs.ts'
import { contextCap, promptTokens, withinContext } from '../../domain/context.ts'
import { toStoredMessage } from '../../domain/messages.ts'
import type { RequestMessage, StoredMessage } from '../../domain/messages.ts'
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

const readInput = async (db: Db, runId: string): Promise<RequestMessage[]> => {
  const [row] = await db<{ messages: RequestMessage[] }[]>`select messages from run_inputs where run_id = ${runId}`
  return row?.messages ?? []
}

const readPlace = async (db: Db, sessionId: string): Promise<{ artistId: string | null }> => {
  const [row] = await db<{ artistId: string | null }[]>`
    select artist_id as "artistId" from sessions where id = ${sessionId}`
  return row ?? { artistId: null }
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
  const [input, answer, place] = await Promise.all([
    readInput(db, run.id),
    findMessage(db, run.chatId, run.assistantMessageId),
    readPlace(db, run.sessionId),
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
          artistId: place.artistId,
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
