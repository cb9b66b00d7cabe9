import type { Operation, OutsideRequest, Records } from '../records/records.ts'
import { goodRuns } from './mutations/good-records.ts'
import {
  findAnswer,
  drop,
  found,
  listFrames,
  findOperation,
  listReadings,
  listRequests,
  retell,
  findRow,
} from './mutations/mutate.ts'

const { retried, stopped, plain, failed, answered, deployed, tools } = goodRuns

/** A run that was stopped becomes one that ended normally. */
export const revive = (r: Records): void => {
  Object.assign(findRow(r, stopped), { status: 'completed', endReason: 'natural' })
  found(findAnswer(r, stopped).metadata)['endReason'] = 'natural'
  const finish = JSON.stringify({ type: 'finish', finishReason: 'stop', messageMetadata: { endReason: 'natural' } })
  retell(r, stopped, (bodies) => [...bodies.filter((body) => !/"(?:abort|finish)"/.test(body)), finish])
}

export const doubleFrame = (r: Records): void => {
  const [whole] = listReadings(r, plain)
  whole!.frames.splice(2, 0, whole!.frames[2]!)
}

export const loseFrames = (r: Records): void => {
  const frame = listFrames(r, plain)[3]!
  drop(r.store.frames, (one) => one === frame)
}

export const reopenQuestion = (r: Records): void => {
  drop(r.operations, ({ kind, chatId }) => kind === 'load' && chatId === findRow(r, answered).chatId)
  const part = findPart(r, answered, 'tool-ask_user_question')
  part['state'] = 'input-available'
  delete part['output']
}

const request = (idempotencyKey: string, at: number): OutsideRequest => ({
  service: 'model',
  idempotencyKey,
  at,
  closedAt: at + 1,
  outcome: 'whole',
})

/** Another request for a step, for which the log has a reason: the worker of the attempt before was lost. */
export const takeOver = (r: Records, runId: string, step: number, at: number): OutsideRequest => {
  r.store.attempts.push({ runId, step, attempt: 1, reason: 'worker_lost' })
  const made = request(`${runId}:${step}:2`, at)
  r.outside.push(made)
  return made
}

export const pay = (r: Records, reference: string, createdAt: number): void => {
  r.store.ledger.push({ accountId: 'account', reference, amount: -10, createdAt })
  r.store.balances[0]!.balance -= 10
}

export const refund = (r: Records): void => {
  drop(r.store.ledger, ({ reference }) => reference.includes(`${plain}:`))
  r.store.balances[0]!.balance += 10
}

export const callAgain = (r: Records): void => {
  const ended = found(r.store.steps.find(({ runId }) => runId === plain))
  r.outside.push(request(`${plain}:0:2`, ended.createdAt + 1000))
}

/** The first model call of a turn with tools is made once more by a process that was replaced, in the midst of its second. */
export const callFromBehind = (r: Records): void => {
  const [first, second] = r.outside.filter(({ idempotencyKey }) => idempotencyKey.startsWith(`${tools}:`))
  found(first).at = found(second).at + 10_000
}

/** A tool of the first step is begun by a process that was replaced, in the midst of the second step. */
export const runFromBehind = (r: Records): void => {
  const second = found(r.outside.filter(({ idempotencyKey }) => idempotencyKey.startsWith(`${tools}:`))[1])
  found(r.store.toolCalls.find(({ runId }) => runId === tools)).startedAt = second.at + 10_000
}

export const runRetracted = (r: Records): void => {
  const { endedAt } = findRow(r, retried)
  const call = { runId: retried, toolCallId: 'call_gone', step: 0, startedAt: endedAt! - 5, endedAt: endedAt! - 4 }
  r.store.toolCalls.push(call)
}

/** Marks the outcome of a call as unknown everywhere, and its row as never begun. */
export const forgetBeginning = (r: Records): void => {
  const call = found(r.store.toolCalls.find(({ runId }) => runId === tools))
  call.startedAt = null
  const unknown = { success: false, error: 'interrupted, outcome unknown' }
  retell(r, tools, (bodies) =>
    bodies.map((body) => {
      const frame = JSON.parse(body) as Record<string, unknown>
      const isOutput = frame['toolCallId'] === call.toolCallId && 'output' in frame
      return isOutput ? JSON.stringify({ ...frame, output: unknown }) : body
    }),
  )
  const tell = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const members = value as Record<string, unknown>
    if (members['toolCallId'] === call.toolCallId && 'output' in members) members['output'] = unknown
    for (const member of Object.values(members)) tell(member)
  }
  // The stored message, and what its readers saw of it.
  tell(r)
}

export const findStop = (r: Records): Operation => found(r.operations.find(({ kind }) => kind === 'stop'))

export const outlive = (r: Records): void => {
  const run = findRow(r, stopped)
  run.endedAt = findStop(r).answeredAt! + 1000
  found(r.store.ledger.find(({ reference }) => reference.includes(`${stopped}:`))).createdAt = run.endedAt
}

export const rollback = (r: Records): Records => {
  found(r.faults.find(({ kind }) => kind === 'deploy')).kind = 'rollback'
  return r
}

export const requestTwice = (r: Records): void => {
  const [first] = listRequests(r, deployed)
  const at = found(first).closedAt! + 1
  takeOver(r, deployed, 0, at)
}

export const crowdedOut = (r: Records): Operation => found(r.operations.find(({ status }) => status === 429))

export const findPart = (r: Records, id: string, type: string): Record<string, unknown> =>
  found(findAnswer(r, id).parts.find((part) => part['type'] === type))

export const storeRefused = (r: Records): void => {
  crowdedOut(r).userMessageId = 'user-4'
  delete findOperation(r, plain).userMessageId
}

export const repeatFailures = (r: Records): void => {
  const at = listRequests(r, failed)[0]!.closedAt!
  for (const attempt of [2, 3, 4, 5]) r.outside.push({ ...request(`${failed}:0:${attempt}`, at), outcome: '500' })
}
