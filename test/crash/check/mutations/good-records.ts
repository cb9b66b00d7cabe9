import type { Records } from '../../records/records.ts'
import { createStory } from '../records/story.ts'

/** Records in which every promise was kept, with every kind of turn. */
export const goodRecords = (): Records => {
  const story = createStory()
  const talk = story.chat()
  story.turn({ chatId: talk, steps: [{ text: 'one two three ', call: { token: 'token-1' } }, { text: 'four five' }] })
  story.load(talk)
  story.fault('worker', 'worker-1', () =>
    story.turn({ chatId: talk, steps: [{ text: 'six seven eight', abandoned: 'six se' }] }),
  )
  const stopped = story.chat()
  story.turn({
    chatId: stopped,
    steps: [{ text: 'a b ', call: { token: 'token-2' } }, { text: 'c d e f' }],
    end: 'stopped',
  })
  story.turn({ chatId: stopped, steps: [{ text: 'g h' }] })
  story.turn({ chatId: story.chat(), steps: [{ text: 'i j k' }], end: 'failed' })
  const lost = story.turn({ chatId: story.chat(), steps: [{ text: 'l m' }], unanswered: true })
  const { kind: _, id: __, askedAt: ___, ...again } = lost.operation
  const repeat = story.operation({ ...again, kind: 'repeat' })
  story.answer(repeat, 200)
  repeat.runId = lost.runId
  const asking = story.chat()
  const question = story.turn({ chatId: asking, steps: [{ text: 'shall I?' }], end: 'asking' })
  story.turn({ chatId: asking, steps: [{ text: 'I shall' }], continues: question.runId })
  story.load(asking)
  story.fault('deploy', 'worker-1', () => story.turn({ chatId: story.chat(), steps: [{ text: 'n o p q' }] }))
  const busy = story.operation({ kind: 'send', chatId: talk, userMessageId: 'refused-1', idempotencyKey: 'refused-1' })
  story.answer(busy, 409)
  const crowded = story.operation({ kind: 'send', chatId: talk, userMessageId: 'refused-2', retryAfter: '2' })
  story.turn({ chatId: story.chat(), steps: [{ text: 'r s t' }] })
  story.answer(crowded, 429)
  return story.records
}

/** Runs of the story by what they are. */
export const told = {
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
} as const
