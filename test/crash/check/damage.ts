import type { Operation, ExternalRequest, Records } from '../records/records.ts'
import { goodRuns } from './mutations/good-records.ts'
import {
  findAnswer,
  drop,
  requireItem,
  listFrames,
  findOperation,
  listReadings,
  listRequests,
  rewriteLog,
  findRow,
} from './mutations/mutate.ts'

const { retried, stopped, plain, failed, answered, deployed, tools } = goodRuns

export const loseWorkflow = (r: Records, runId: string, batches: number): void => {
  drop(r.workflows, ({ workflowId }) => workflowId === runId)
  findRow(r, runId).batches = batches
}

/** Changes a stopped run to a run that ended normally. */
export const completeStopped = (r: Records): void => {
  Object.assign(findRow(r, stopped), { status: 'completed', endReason: 'natural' })
  requireItem(findAnswer(r, stopped).metadata)['endReason'] = 'natural'
  const finish = JSON.stringify({ type: 'finish', finishReason: 'stop', messageMetadata: { endReason: 'natural' } })
  rewriteLog(r, stopped, (bodies) => [...bodies.filter((body) => !/"(?:abort|finish)"/.test(body)), finish])
}

export const duplicateFrame = (r: Records): void => {
  const [whole] = listReadings(r, plain)
  whole!.frames.splice(2, 0, whole!.frames[2]!)
}

export const loseFrame = (r: Records): void => {
  const frame = listFrames(r, plain)[3]!
  drop(r.store.frames, (other) => other === frame)
}

export const reopenQuestion = (r: Records): void => {
  drop(r.operations, ({ kind, chatId }) => kind === 'load' && chatId === findRow(r, answered).chatId)
  const part = findPart(r, answered, 'tool-ask_user_question')
  part['state'] = 'input-available'
  delete part['output']
}

const request = (idempotencyKey: string, at: number): ExternalRequest => ({
  service: 'model',
  idempotencyKey,
  at,
  closedAt: at + 1,
  outcome: 'whole',
})

/** Adds another request for a step. The recorded reason is that the worker of the previous attempt was lost. */
export const addAttemptAfterLoss = (r: Records, runId: string, step: number, at: number): ExternalRequest => {
  r.store.attempts.push({ runId, step, attempt: 1, reason: 'worker_lost' })
  const addedRequest = request(`${runId}:${step}:2`, at)
  r.externalRequests.push(addedRequest)
  return addedRequest
}

export const addCharge = (r: Records, reference: string, createdAt: number): void => {
  r.store.ledger.push({ accountId: 'account', reference, amount: -10, createdAt })
  r.store.balances[0]!.balance -= 10
}

export const removeCharge = (r: Records): void => {
  drop(r.store.ledger, ({ reference }) => reference.includes(`${plain}:`))
  r.store.balances[0]!.balance += 10
}

export const repeatCall = (r: Records): void => {
  const ended = requireItem(r.store.steps.find(({ runId }) => runId === plain))
  r.externalRequests.push(request(`${plain}:0:2`, ended.createdAt + 1000))
}

/**
 * Moves the first model call of a turn with tools to a time after the start of the second call, as if a replaced process made
 * it.
 */
export const callModelFromReplacedProcess = (r: Records): void => {
  const [first, second] = r.externalRequests.filter(({ idempotencyKey }) => idempotencyKey.startsWith(`${tools}:`))
  requireItem(first).at = requireItem(second).at + 10_000
}

/** Moves the start of a tool of the first step into the second step, as if a replaced process started it. */
export const startToolFromReplacedProcess = (r: Records): void => {
  const second = requireItem(
    r.externalRequests.filter(({ idempotencyKey }) => idempotencyKey.startsWith(`${tools}:`))[1],
  )
  requireItem(r.store.toolCalls.find(({ runId }) => runId === tools)).startedAt = second.at + 10_000
}

export const runToolOfRetractedAttempt = (r: Records): void => {
  const { endedAt } = findRow(r, retried)
  const call = { runId: retried, toolCallId: 'call_gone', step: 0, startedAt: endedAt! - 5, endedAt: endedAt! - 4 }
  r.store.toolCalls.push(call)
}

/** Changes a tool call that succeeded to a call that never started, but whose outcome is unknown. */
export const forgetStart = (r: Records): void => {
  const call = requireItem(r.store.toolCalls.find(({ runId }) => runId === tools))
  call.startedAt = null
  const unknown = { success: false, error: 'interrupted, outcome unknown' }
  rewriteLog(r, tools, (bodies) =>
    bodies.map((body) => {
      const frame = JSON.parse(body) as Record<string, unknown>
      const isOutput = frame['toolCallId'] === call.toolCallId && 'output' in frame
      return isOutput ? JSON.stringify({ ...frame, output: unknown }) : body
    }),
  )
  const replaceOutput = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const members = value as Record<string, unknown>
    if (members['toolCallId'] === call.toolCallId && 'output' in members) members['output'] = unknown
    for (const member of Object.values(members)) replaceOutput(member)
  }
  // The stored message and all copies that its readers received.
  replaceOutput(r)
}

export const findStop = (r: Records): Operation => requireItem(r.operations.find(({ kind }) => kind === 'stop'))

export const endAfterStop = (r: Records): void => {
  const run = findRow(r, stopped)
  run.endedAt = findStop(r).answeredAt! + 1000
  requireItem(r.store.ledger.find(({ reference }) => reference.includes(`${stopped}:`))).createdAt = run.endedAt
}

export const replaceDeployWithRollback = (r: Records): Records => {
  requireItem(r.faults.find(({ kind }) => kind === 'deploy')).kind = 'rollback'
  return r
}

export const requestTwice = (r: Records): void => {
  const [first] = listRequests(r, deployed)
  const at = requireItem(first).closedAt! + 1
  addAttemptAfterLoss(r, deployed, 0, at)
}

export const findOverloaded = (r: Records): Operation => requireItem(r.operations.find(({ status }) => status === 429))

export const findPart = (r: Records, id: string, type: string): Record<string, unknown> =>
  requireItem(findAnswer(r, id).parts.find((part) => part['type'] === type))

export const storeRejected = (r: Records): void => {
  findOverloaded(r).userMessageId = 'user-4'
  delete findOperation(r, plain).userMessageId
}

export const repeatFailures = (r: Records): void => {
  const at = listRequests(r, failed)[0]!.closedAt!
  for (const attempt of [2, 3, 4, 5])
    r.externalRequests.push({ ...request(`${failed}:0:${attempt}`, at), outcome: '500' })
}
