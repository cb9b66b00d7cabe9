import { completeStopped, addAttemptAfterLoss, loseWorkflow } from '../damage.ts'
import { goodRuns } from './good-records.ts'
import { drop, requireItem, findOperation, listReadings, rewriteLog, findRow, type Mutation } from './mutate.ts'

const { tools, retried, stopped, plain, failed, duringOverload, requesting } = goodRuns

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

const closings: Mutation[] = [
  ['G4', 'a log ends without finish', (r) => rewriteLog(r, plain, (bodies) => bodies.slice(0, -1))],
  ['G4', 'a log has two finishes', (r) => rewriteLog(r, plain, (bodies) => [...bodies, bodies.at(-1)!])],
  ['G4', 'a log has two starts', (r) => rewriteLog(r, plain, (bodies) => [bodies[0]!, ...bodies])],
  [
    'G4',
    'a frame follows finish',
    (r) => rewriteLog(r, plain, (bodies) => [...bodies, '{"type":"message-metadata","messageMetadata":{}}']),
  ],
  [
    'G4',
    'an attempt continues to write after its retraction',
    (r) =>
      rewriteLog(r, retried, (bodies) => [
        ...bodies.slice(0, -1),
        '{"type":"text-delta","id":"txt_0_1_0","delta":""}',
        bodies.at(-1)!,
      ]),
  ],
  [
    'G4',
    'a retraction covers only part of an attempt',
    (r) =>
      rewriteLog(r, retried, (bodies) =>
        bodies.map((body) => body.replace(/"toIndex":(\d+)/, (_, index) => `"toIndex":${Number(index) - 1}`)),
      ),
  ],
  ['G4', 'a finished reading has no [DONE]', (r) => (listReadings(r, plain)[0]!.end = 'cut')],
  [
    'G4',
    'a part is left open',
    (r) => rewriteLog(r, plain, (bodies) => bodies.filter((body) => !body.includes('"text-end"'))),
  ],
  [
    'G4',
    'a call stays open without a request for approval',
    (r) => rewriteLog(r, requesting, (bodies) => bodies.filter((body) => !body.includes('"tool-approval-request"'))),
  ],
  [
    'G4',
    'finish reports a different end than the run',
    (r) => rewriteLog(r, plain, (bodies) => bodies.map((body) => body.replace('"natural"', '"step_limit"'))),
  ],
  [
    'G4',
    'an exception text is shown as the error',
    (r) => rewriteLog(r, failed, (bodies) => bodies.map((body) => body.replace('The model call failed', 'ECONNRESET'))),
  ],
]

/** Changes to the ends of runs and to the order of the runs of a chat. */
export const runMutations: Mutation[] = [...endings, ...slots, ...closings]
