import type { Records } from '../../records/records.ts'
import { createRecordBuilder } from '../records/builder.ts'
import { addLosses } from '../records/losses.ts'

/** Returns records that contain every kind of turn and violate no guarantee. */
export const goodRecords = (): Records => {
  const builder = createRecordBuilder()
  const firstChatId = builder.addChat()
  builder.addTurn({
    chatId: firstChatId,
    steps: [{ text: 'one two three ', call: { token: 'token-1' } }, { text: 'four five' }],
  })
  builder.addLoad(firstChatId)
  builder.addFault('worker', 'worker-1', () =>
    builder.addTurn({ chatId: firstChatId, steps: [{ text: 'six seven eight', abandoned: 'six se' }] }),
  )
  const stopped = builder.addChat()
  builder.addTurn({
    chatId: stopped,
    steps: [{ text: 'a b ', call: { token: 'token-2' } }, { text: 'c d e f' }],
    end: 'stopped',
  })
  builder.addTurn({ chatId: stopped, steps: [{ text: 'g h' }] })
  builder.addTurn({ chatId: builder.addChat(), steps: [{ text: 'i j k' }], end: 'failed' })
  const lost = builder.addTurn({ chatId: builder.addChat(), steps: [{ text: 'l m' }], unanswered: true })
  const { kind: _, id: __, requestedAt: ___, ...resentFields } = lost.operation
  const repeat = builder.addOperation({ ...resentFields, kind: 'repeat' })
  builder.respond(repeat, 200)
  repeat.runId = lost.runId
  const asking = builder.addChat()
  const question = builder.addTurn({ chatId: asking, steps: [{ text: 'shall I?' }], end: 'asking' })
  builder.addTurn({ chatId: asking, steps: [{ text: 'I shall' }], continues: question.runId })
  builder.addLoad(asking)
  builder.addFault('deploy', 'worker-1', () =>
    builder.addTurn({ chatId: builder.addChat(), steps: [{ text: 'n o p q' }] }),
  )
  const busy = builder.addOperation({
    kind: 'send',
    chatId: firstChatId,
    userMessageId: 'refused-1',
    idempotencyKey: 'refused-1',
  })
  builder.respond(busy, 409)
  const rateLimited = builder.addOperation({
    kind: 'send',
    chatId: firstChatId,
    userMessageId: 'refused-2',
    retryAfter: '2',
  })
  builder.addTurn({ chatId: builder.addChat(), steps: [{ text: 'r s t' }] })
  builder.respond(rateLimited, 429)
  const approving = builder.addChat()
  const step = { text: 'may I? ', call: { token: 'token-3' } }
  const requesting = builder.addTurn({ chatId: approving, steps: [step], end: 'asking' })
  const approved = builder.addTurn({ chatId: approving, steps: [{ text: 'I did' }], continues: requesting.runId })
  const at = approved.row.createdAt + 1
  const idempotencyKey = `compact:${approved.runId}:1:1`
  builder.records.externalRequests.push({ service: 'model', idempotencyKey, at, closedAt: at + 1, outcome: 'whole' })
  builder.addLoad(approving)
  builder.addQueuedMessages()
  addLosses(builder)
  return builder.records
}

/** The ids of the runs in the records, by role. */
export const goodRuns = {
  tools: 'wrun_1',
  retried: 'wrun_2',
  stopped: 'wrun_3',
  plain: 'wrun_4',
  failed: 'wrun_5',
  lost: 'wrun_6',
  asking: 'wrun_7',
  answered: 'wrun_8',
  deployed: 'wrun_9',
  duringOverload: 'wrun_10',
  requesting: 'wrun_11',
  approved: 'wrun_12',
} as const
