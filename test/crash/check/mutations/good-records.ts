import type { Records } from '../../records/records.ts'
import { createRecordBuilder } from '../records/builder.ts'
import { addLosses } from '../records/losses.ts'

/** Returns records of every kind of turn without a violation. */
export const goodRecords = (): Records => {
  const builder = createRecordBuilder()
  const firstChatId = builder.chat()
  builder.turn({
    chatId: firstChatId,
    steps: [{ text: 'one two three ', call: { token: 'token-1' } }, { text: 'four five' }],
  })
  builder.load(firstChatId)
  builder.fault('worker', 'worker-1', () =>
    builder.turn({ chatId: firstChatId, steps: [{ text: 'six seven eight', abandoned: 'six se' }] }),
  )
  const stopped = builder.chat()
  builder.turn({
    chatId: stopped,
    steps: [{ text: 'a b ', call: { token: 'token-2' } }, { text: 'c d e f' }],
    end: 'stopped',
  })
  builder.turn({ chatId: stopped, steps: [{ text: 'g h' }] })
  builder.turn({ chatId: builder.chat(), steps: [{ text: 'i j k' }], end: 'failed' })
  const lost = builder.turn({ chatId: builder.chat(), steps: [{ text: 'l m' }], unanswered: true })
  const { kind: _, id: __, requestedAt: ___, ...resentFields } = lost.operation
  const repeat = builder.operation({ ...resentFields, kind: 'repeat' })
  builder.answer(repeat, 200)
  repeat.runId = lost.runId
  const asking = builder.chat()
  const question = builder.turn({ chatId: asking, steps: [{ text: 'shall I?' }], end: 'asking' })
  builder.turn({ chatId: asking, steps: [{ text: 'I shall' }], continues: question.runId })
  builder.load(asking)
  builder.fault('deploy', 'worker-1', () => builder.turn({ chatId: builder.chat(), steps: [{ text: 'n o p q' }] }))
  const busy = builder.operation({
    kind: 'send',
    chatId: firstChatId,
    userMessageId: 'refused-1',
    idempotencyKey: 'refused-1',
  })
  builder.answer(busy, 409)
  const crowded = builder.operation({ kind: 'send', chatId: firstChatId, userMessageId: 'refused-2', retryAfter: '2' })
  builder.turn({ chatId: builder.chat(), steps: [{ text: 'r s t' }] })
  builder.answer(crowded, 429)
  const approving = builder.chat()
  const step = { text: 'may I? ', call: { token: 'token-3' } }
  const requesting = builder.turn({ chatId: approving, steps: [step], end: 'asking' })
  const approved = builder.turn({ chatId: approving, steps: [{ text: 'I did' }], continues: requesting.runId })
  const at = approved.row.createdAt + 1
  const idempotencyKey = `compact:${approved.runId}:1:1`
  builder.records.externalRequests.push({ service: 'model', idempotencyKey, at, closedAt: at + 1, outcome: 'whole' })
  builder.load(approving)
  builder.waiting()
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
  crowded: 'wrun_10',
  requesting: 'wrun_11',
  approved: 'wrun_12',
} as const
