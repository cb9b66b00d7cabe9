import { Context } from '@temporalio/activity'
import { TemporalFailure } from '@temporalio/common'
import { StaleWriterError } from '../../db/log/writer.ts'
import { findChat } from '../../db/sessions/chats.ts'
import { findSummary, insertSummary, listSummaries } from '../../db/sessions/summaries.ts'
import { readTurnState } from '../../db/turns/context.ts'
import { readHistory } from '../../db/turns/history.ts'
import {
  applySummaries,
  earlierTurns,
  historyTokens,
  summaryLimits,
  summaryPrompt,
  type HistorySummary,
} from '../../domain/chat/prompt/compaction.ts'
import { toStoredMessage, type UiMessage } from '../../domain/chat/messages.ts'
import { storableText } from '../../domain/fields/storable.ts'
import { computeCost, reportedCost, toUsage } from '../../domain/credits/usage.ts'
import { ModelError, type ModelCall, type ModelPart, type ModelPort } from '../../providers/model/index.ts'
import { createModelFailure } from './model-call.ts'
import type { TaskRunDeps } from '../tasks/start.ts'
import { onOpenLog, withWorkerLock, type LockDeps } from './working.ts'

export type CompactDeps = LockDeps & TaskRunDeps & { models: ModelPort }

/** A summary to write. `madeFor` identifies it: each value is summarized and charged once. */
type SummaryRequest = {
  chatId: string
  accountId: string
  source: 'web' | 'api'
  modelId: string
  madeFor: string
  runId?: string
  history: UiMessage[]
  summaries: readonly HistorySummary[]
}

export function createCompactActivities(deps: CompactDeps) {
  const { db, models, taskRuns } = deps

  const summarize = async (request: SummaryRequest, signal: AbortSignal): Promise<void> => {
    const { chatId, accountId, source, modelId, madeFor, runId } = request
    const { summary, rest } = applySummaries(request.history, request.summaries)
    const turns = earlierTurns(rest)
    if (turns.length === 0) return
    const model = await models.describe(modelId)
    const call = {
      modelId,
      prompt: summaryPrompt(summary, turns, Math.floor(0.8 * (model.contextWindow - model.outputReserve))),
      tools: [],
      maxOutputTokens: summaryLimits.tokens,
      idempotencyKey: `compact:${madeFor}:${Context.current().info.attempt}`,
    }
    const { text, usage, reportedCostUsd } = await generateText(models, call, signal)
    await db.begin((tx) =>
      insertSummary(tx, {
        chatId,
        accountId,
        source,
        madeFor,
        ...(runId !== undefined && { runId }),
        messageIds: [...(summary?.messageIds ?? []), ...turns.map(({ id }) => id)],
        text,
        modelId,
        usage,
        costUsd: computeCost(usage, reportedCostUsd, model.prices),
        tokensBefore: historyTokens(turns) + Math.ceil((summary?.text.length ?? 0) / 4),
        tokensAfter: Math.ceil(text.length / 4),
      }),
    )
  }

  const runLocked = (id: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> =>
    onOpenLog(async () => {
      try {
        await withWorkerLock(deps, id, work)
      } catch (error) {
        if (error instanceof StaleWriterError || error instanceof TemporalFailure) throw error
        throw createModelFailure(error, Context.current().info.attempt)
      }
    })

  return {
    /**
     * Summarizes the messages of a turn's prompt before its last user message. Safe to run again: a stored summary of
     * the step is kept and not charged again.
     */
    compactTurn: ({ runId, step }: { runId: string; step: number }): Promise<void> =>
      runLocked(runId, async (signal) => {
        const madeFor = `${runId}:${step}`
        if ((await findSummary(db, madeFor)) !== undefined) return
        const { run, open, result, input, summaries } = await readTurnState(db, runId, step)
        if (!open || result !== undefined) return
        const { chatId, accountId, source, modelId, assistantMessageId } = run
        const history = input.filter(({ id }) => id !== assistantMessageId).map(toStoredMessage)
        await summarize({ chatId, accountId, source, modelId, madeFor, runId, history, summaries }, signal)
      }),

    /** Summarizes a chat through a message. Safe to run again: a stored summary is kept and not charged again. */
    compactStored: ({ chatId, throughId }: { chatId: string; throughId: string }): Promise<void> =>
      runLocked(chatId, async (signal) => {
        const madeFor = `${chatId}:${throughId}`
        const chat = await findChat(db, chatId)
        if (chat === undefined || (await findSummary(db, madeFor)) !== undefined) return
        const storedMessages = await readHistory(db, chatId)
        const end = storedMessages.findIndex(({ id }) => id === throughId)
        // The empty message represents the next user message, because all messages before the last user message are summarized.
        const history: UiMessage[] = [...storedMessages.slice(0, end + 1), { id: '', role: 'user', parts: [] }]
        const modelId = chat.modelId ?? taskRuns.defaultModel
        const summaries = await listSummaries(db, chatId)
        await summarize(
          { chatId, accountId: chat.ownerId, source: 'api', modelId, madeFor, history, summaries },
          signal,
        )
      }),
  }
}

/** Returns the text, usage and reported cost of one model call. Throws when the text is empty, too long or incomplete. */
async function generateText(models: Pick<ModelPort, 'stream'>, call: ModelCall, signal: AbortSignal) {
  let text = ''
  const finishParts: Extract<ModelPart, { type: 'finish' }>[] = []
  await models.stream(call, signal, (part) => {
    if (part.type === 'error') throw new ModelError('the model reported an error', { retryable: true })
    if (part.type === 'text-delta') text += part.delta
    if (text.length > summaryLimits.characters) throw new ModelError('the summary is too long', { retryable: false })
    if (part.type === 'finish') finishParts.push(part)
    return undefined
  })
  const [finish] = finishParts
  if (finish === undefined) throw new ModelError('the summary is incomplete', { retryable: true })
  if (text.trim() === '') throw new ModelError('the summary is empty', { retryable: true })
  return {
    text: storableText(text.trim()),
    usage: toUsage(finish.usage),
    reportedCostUsd: reportedCost(finish.providerMetadata),
  }
}
