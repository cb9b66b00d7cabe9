import type { Records } from '../../records/records.ts'
import { drop, required, type Mutation } from './mutate.ts'

const joined = (r: Records) => required(r.store.queue.find(({ state }) => state === 'steered'))
const accepted = (r: Records) => r.store.queue.filter(({ state }) => state === 'accepted')

/** Ways to break the promise about waiting messages. */
export const queueMutations: Mutation[] = [
  [
    'G17',
    'a message that was accepted into the queue is not stored',
    (r) => drop(r.store.queue, ({ id }) => id === accepted(r)[0]?.id),
  ],
  ['G17', 'an accepted message has no run', (r) => (accepted(r)[0]!.runId = null)],
  [
    'G17',
    'two messages have one run',
    (r) => Object.assign(accepted(r)[0]!, { runId: accepted(r)[1]!.runId, messageId: accepted(r)[1]!.messageId }),
  ],
  [
    'G17',
    'a message waits in a free chat',
    (r) => Object.assign(accepted(r)[0]!, { state: 'waiting', runId: null, messageId: 'none' }),
  ],
  ['G17', 'a message that joined is not in the log', (r) => (joined(r).id = 'queued-other')],
  ['G17', 'a removed message was answered', (r) => (accepted(r)[0]!.state = 'removed')],
  ['G17', 'a stop does not hold waiting messages', (r) => drop(r.operations, ({ kind }) => kind === 'resume')],
  [
    'G17',
    'the messages of one sender change order',
    (r) => {
      const [first, second] = r.operations.filter(({ queueId }) => queueId !== undefined)
      for (const one of [first!, second!]) one.id = `one:${one.id}`
      const { requestedAt } = first!
      first!.requestedAt = second!.requestedAt
      second!.requestedAt = requestedAt
    },
  ],
]
