import type { Records } from '../../records/records.ts'
import { drop, requireItem, type Mutation } from './mutate.ts'

const findSteered = (r: Records) => requireItem(r.store.queue.find(({ state }) => state === 'steered'))
const listAccepted = (r: Records) => r.store.queue.filter(({ state }) => state === 'accepted')

/** Changes of the records that violate G17, the guarantee about queued messages. */
export const queueMutations: Mutation[] = [
  [
    'G17',
    'a message that was accepted into the queue is not stored',
    (r) => drop(r.store.queue, ({ id }) => id === listAccepted(r)[0]?.id),
  ],
  ['G17', 'an accepted message has no run', (r) => (listAccepted(r)[0]!.runId = null)],
  [
    'G17',
    'two messages have the same run',
    (r) =>
      Object.assign(listAccepted(r)[0]!, {
        runId: listAccepted(r)[1]!.runId,
        messageId: listAccepted(r)[1]!.messageId,
      }),
  ],
  [
    'G17',
    'a message waits in an idle chat',
    (r) => Object.assign(listAccepted(r)[0]!, { state: 'waiting', runId: null, messageId: 'none' }),
  ],
  ['G17', 'a message that joined a run is not in its log', (r) => (findSteered(r).id = 'queued-other')],
  ['G17', 'a removed message has a run', (r) => (listAccepted(r)[0]!.state = 'removed')],
  ['G17', 'a stop does not hold waiting messages', (r) => drop(r.operations, ({ kind }) => kind === 'resume')],
  [
    'G17',
    'the messages of one sender change order',
    (r) => {
      const [first, second] = r.operations.filter(({ queueId }) => queueId !== undefined)
      for (const operation of [first!, second!]) operation.id = `one:${operation.id}`
      const { requestedAt } = first!
      first!.requestedAt = second!.requestedAt
      second!.requestedAt = requestedAt
    },
  ],
]
