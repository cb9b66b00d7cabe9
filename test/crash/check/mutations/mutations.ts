import type { Records } from '../../records/records.ts'
import {
  repeatFailures,
  completeStopped,
  reopenQuestion,
  addAttemptAfterLoss,
  addCharge,
  removeCharge,
  repeatCall,
  callModelFromReplacedProcess,
  startToolFromReplacedProcess,
  runToolOfRetractedAttempt,
  forgetStart,
  findStop,
  endAfterStop,
  replaceDeployWithRollback,
  requestTwice,
  findOverloaded,
  findPart,
  storeRejected,
  loseWorkflow,
} from '../damage.ts'
import { fileMutations } from './file-mutations.ts'
import { goodRuns } from './good-records.ts'
import { logMutations } from './log-mutations.ts'
import {
  change,
  drop,
  failWithoutCause,
  requireItem,
  findOperation,
  listRequests,
  findRow,
  type Mutation,
} from './mutate.ts'
import { queueMutations } from './queue-mutations.ts'

const { tools, retried, stopped, plain, failed, lost, deployed, duringOverload, approved } = goodRuns

const endings: Mutation[] = [
  ['G1', 'a run never ends', (r) => Object.assign(findRow(r, duringOverload), { status: 'running', endedAt: null })],
  ['G1', 'an accepted run is not stored', (r) => drop(r.store.runs, ({ id }) => id === plain)],
  [
    'G1',
    'the engine still runs a run that has ended',
    (r) => (requireItem(r.workflows.find((workflow) => workflow.workflowId === plain)).closedAt = null),
  ],
  ['G1', 'a run that ended without a batch has no workflow', (r) => loseWorkflow(r, plain, 0)],
  ['G1', 'a run that a second batch continued has no workflow', (r) => loseWorkflow(r, plain, 2)],
  [
    'G1',
    'a message is stored without its run',
    (r) => r.store.messages.push({ ...r.store.messages[0]!, id: 'orphan', position: 900, createdAt: 1 }),
  ],
]

const slots: Mutation[] = [
  [
    'G2',
    'a run begins before the previous one has ended',
    (r) => {
      const [first, second] = [findRow(r, tools), findRow(r, retried)]
      first.endedAt = second.createdAt + 5
      requireItem(r.store.ledger.find(({ reference }) => reference.includes(`${tools}:`))).createdAt = first.endedAt
      drop(r.operations, ({ kind, requestedAt }) => kind === 'load' && requestedAt < first.endedAt!)
    },
  ],
  [
    'G2',
    'a message whose response was 409 is stored with a run',
    (r) => {
      const sent = findOperation(r, plain)
      Object.assign(sent, { status: 409 })
      delete sent.runId
    },
  ],
  [
    'G2',
    'the model is called for a run while its chat has another active run',
    (r) => {
      const at = findRow(r, plain).createdAt + 1000
      addAttemptAfterLoss(r, stopped, 1, at).outcome = 'aborted'
      findRow(r, stopped).stopRequestedAt = null
      drop(r.operations, ({ kind }) => kind === 'stop')
      completeStopped(r)
    },
  ],
  [
    'G2',
    'a 409 names a run that had long ended',
    (r) => {
      const refused = requireItem(r.operations.find(({ status }) => status === 409))
      refused.runId = tools
      refused.requestedAt += 10_000
      refused.answeredAt! += 10_000
    },
  ],
  ['G2', 'a slot contains a run that has long ended', (r) => (r.store.chats[0]!.activeStreamId = tools)],
]

const survival: Mutation[] = [
  ['G5', 'a run is stopped without a request', (r) => drop(r.operations, ({ kind }) => kind === 'stop')],
  ['G5', 'a run is cancelled without a recorded stop', (r) => (findRow(r, stopped).stopRequestedAt = null)],
  ['G5', 'a run fails without a cause when its readers leave', (r) => failWithoutCause(r, tools)],
  [
    'G5',
    'a run reports that its model failed, although it did not',
    (r) => (listRequests(r, failed)[0]!.outcome = 'whole'),
  ],
]

const messages: Mutation[] = [
  [
    'G6',
    'a message is stored after its answer began',
    (r) => (requireItem(r.store.messages.find(({ id }) => id === 'user-2')).createdAt += 5000),
  ],
  [
    'G6',
    'the stored answer lacks its last word',
    (r) => void (findPart(r, plain, 'text')['text'] = change('g h', ' h', '')),
  ],
  [
    'G6',
    'the text of two attempts is joined',
    (r) => void (findPart(r, retried, 'text')['text'] = 'six sesix seven eight'),
  ],
  ['G6', 'an answer is not stored', (r) => drop(r.store.messages, ({ id }) => id === 'answer-4')],
  [
    'G6',
    'a reload lacks the answer',
    (r) => requireItem(r.operations.find(({ kind }) => kind === 'load')).loaded?.messages.pop(),
  ],
  ['G6', 'the answer is not the text of the model', (r) => (findOperation(r, plain).expectedText = 'g h and more')],
  [
    'G6',
    'a tool result is stored differently',
    (r) => void (findPart(r, tools, 'tool-bash')['output'] = { success: false }),
  ],
  [
    'G6',
    'the result of an approved call is stored differently',
    (r) => void (findPart(r, approved, 'tool-bash')['output'] = { success: false }),
  ],
  ['G6', 'an answered question is stored as open', (r) => reopenQuestion(r)],
  ['G6', 'a chat is not stored', (r) => drop(r.store.chats, ({ id }) => id === findRow(r, plain).chatId)],
]

const findEffect = (r: Records, token: string) => requireItem(r.effects.find((effect) => effect.token === token))

const once: Mutation[] = [
  ['G7', 'a run is charged twice', (r) => addCharge(r, `chat:${plain}:main:other`, findRow(r, plain).endedAt!)],
  ['G7', 'a run is not charged', (r) => removeCharge(r)],
  ['G7', 'the balance is not the sum of the ledger', (r) => (r.store.balances[0]!.balance += 1)],
  ['G7', 'an effect happens twice', (r) => (r.effects[0]!.count = 2)],
  ['G7', 'an approved call is executed twice', (r) => (findEffect(r, 'token-3').count = 2)],
  ['G7', 'an approved call is reported but was not executed', (r) => (findEffect(r, 'token-3').count = 0)],
  [
    'G7',
    'a summary is requested without a run',
    (r) =>
      (requireItem(r.externalRequests.find((request) => request.idempotencyKey.startsWith('compact:'))).idempotencyKey =
        'compact:wrun_0:1:1'),
  ],
  ['G7', 'an effect is reported but did not happen', (r) => (r.effects[0]!.count = 0)],
  ['G7', 'the model is called again for a step that had ended', (r) => repeatCall(r)],
  ['G7', 'two processes call the model for one turn', (r) => callModelFromReplacedProcess(r)],
  ['G7', 'a replaced process starts a tool', (r) => startToolFromReplacedProcess(r)],
  [
    'G7',
    'a step ends without a model call',
    (r) => drop(r.externalRequests, (request) => request === listRequests(r, tools)[1]),
  ],
  ['G7', 'a failing model is called more than three times', (r) => repeatFailures(r)],
  [
    'G7',
    'the model is called again without a reason in the log',
    (r) => drop(r.store.attempts, ({ runId }) => runId === retried),
  ],
  [
    'G7',
    'a failed model is called again immediately',
    (r) => {
      const [first, second] = listRequests(r, retried)
      second!.at = first!.closedAt! + 5
    },
  ],
  [
    'G7',
    'two requests have the same idempotency key',
    (r) => r.externalRequests.push({ ...listRequests(r, plain)[0]! }),
  ],
  [
    'G7',
    'one idempotency key starts two runs',
    (r) => (findOperation(r, lost, 'repeat').idempotencyKey = findOperation(r, plain).idempotencyKey!),
  ],
  ['G7', 'a run starts without a request', (r) => drop(r.operations, ({ runId }) => runId === duringOverload)],
  ['G7', 'a tool of a retracted attempt runs', (r) => runToolOfRetractedAttempt(r)],
  ['G7', 'a tool call that never started has an unknown outcome', (r) => forgetStart(r)],
]

const stops: Mutation[] = [
  [
    'G11',
    'the model is called after the stop',
    (r) => addAttemptAfterLoss(r, stopped, 1, findStop(r).answeredAt! + 400),
  ],
  [
    'G11',
    'a tool starts after the stop',
    (r) =>
      (requireItem(r.store.toolCalls.find(({ runId }) => runId === stopped)).startedAt =
        findStop(r).answeredAt! + 1000),
  ],
  [
    'G11',
    'a model call continues after the stop',
    (r) => (listRequests(r, stopped).at(-1)!.closedAt = findStop(r).answeredAt! + 11_000),
  ],
  ['G11', 'a run continues although its stop was acknowledged', (r) => endAfterStop(r)],
  ['G11', 'a stopped run ends as completed', (r) => completeStopped(r)],
]

const deploys: Mutation[] = [
  ['G12', 'a run fails because of a deploy', (r) => failWithoutCause(r, deployed)],
  ['G12', 'a run fails because of a rollback', (r) => failWithoutCause(replaceDeployWithRollback(r), deployed)],
  ['G12', 'a step with a complete response is requested again', (r) => requestTwice(r)],
]

const overload: Mutation[] = [
  ['G13', 'a 429 has no Retry-After', (r) => delete findOverloaded(r).retryAfter],
  [
    'G13',
    'a 503 has an invalid Retry-After',
    (r) => Object.assign(findOverloaded(r), { status: 503, retryAfter: 'soon' }),
  ],
  ['G13', 'an overloaded server responds 500', (r) => Object.assign(findOverloaded(r), { status: 500 })],
  ['G13', 'a rejected message is stored', (r) => storeRejected(r)],
  [
    'G13',
    'memory grows without bound',
    (r) => r.samples.push({ part: 'api-1', pid: 7, at: 1_100_000, rssBytes: 2 ** 31 }),
  ],
  ['G13', 'accepted work fails while other work is rejected', (r) => failWithoutCause(r, duringOverload)],
]

/** Changes of the records that each violate one guarantee. */
export const mutations: Mutation[] = [
  ...endings,
  ...slots,
  ...logMutations,
  ...survival,
  ...messages,
  ...once,
  ...stops,
  ...deploys,
  ...overload,
  ...queueMutations,
  ...fileMutations,
]
