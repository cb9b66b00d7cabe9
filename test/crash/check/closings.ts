import type { Reading, Violation } from '../records/records.ts'
import {
  isTerminal,
  toLog,
  createViolation,
  type Evidence,
  type LogFrame,
  type RunEvidence,
} from './records/evidence.ts'
import { withoutRetracted, listRetractions } from './records/fold.ts'

/** Error texts of runs that failed because of their model. */
export const modelErrorTexts: readonly string[] = [
  'The model call failed',
  'The model refused an attachment of this chat',
  'The model refused the history of this chat',
  'The model refused the content of this chat',
  'The chat is too long for this model',
  'The model is not available',
]

const errorTexts = new Set([
  ...modelErrorTexts,
  'The sandbox could not be started',
  'The run exceeded its time limit',
  'The run was lost',
  'Internal error',
])

const ends: Record<string, { status: string; before?: string }> = {
  natural: { status: 'completed' },
  awaiting_user: { status: 'completed' },
  step_limit: { status: 'completed' },
  stopped: { status: 'cancelled', before: 'abort' },
  error: { status: 'failed', before: 'error' },
  time_limit: { status: 'failed', before: 'error' },
}

const count = (log: readonly LogFrame[], type: string): number => log.filter(({ frame }) => frame.type === type).length

/** Lists frames of text and reasoning parts that are not open. */
const listStrayFrames = (log: readonly LogFrame[]): string[] => {
  const open = new Set<string>()
  const begun = new Set<string>()
  const problems: string[] = []
  for (const { frame, index } of log) {
    const [kind, event] = frame.type.split('-')
    if (kind !== 'text' && kind !== 'reasoning') continue
    const id = `${kind} ${String(frame['id'])}`
    if (event === 'start' && begun.has(id)) problems.push(`${id} begins twice`)
    if (event !== 'start' && !open.has(id)) problems.push(`frame ${index} is part of ${id}, which is not open`)
    if (event === 'start') open.add(id)
    if (event === 'end') open.delete(id)
    begun.add(id)
  }
  return problems
}

/** Lists retractions whose range does not begin and end with the first and the last frame of an attempt. */
const listBadRetractions = (log: readonly LogFrame[]): string[] =>
  listRetractions(log).flatMap(({ fromIndex, toIndex }) => {
    const [first, last] = [log[fromIndex], log[toIndex]]
    return first?.frame.type === 'start-step' && last?.frame.type === 'finish-step'
      ? []
      : [`the retraction of frames ${fromIndex} to ${toIndex} does not cover exactly one attempt`]
  })

/** Lists parts that begin but do not end. A question or a call that waits for approval may remain open. */
const listOpenParts = (log: readonly LogFrame[], endReason: unknown): string[] => {
  const open = new Map<string, string>()
  const requested = new Set<string>()
  for (const { frame } of withoutRetracted(log, listRetractions(log))) {
    const { type } = frame
    const part = `${type.split('-')[0]} ${String(frame['id'])}`
    const call = `tool ${String(frame['toolCallId'])}`
    if (type === 'text-start' || type === 'reasoning-start') open.set(part, part)
    if (type === 'text-end' || type === 'reasoning-end') open.delete(part)
    if (type === 'tool-input-start' || type === 'tool-input-available') open.set(call, String(frame['toolName']))
    if (type === 'tool-approval-request') requested.add(call)
    if (type === 'tool-input-error' || type === 'tool-output-error') open.delete(call)
    if (type === 'tool-output-available' && frame['preliminary'] !== true) open.delete(call)
    if (type === 'start-step') open.set('step', 'step')
    if (type === 'finish-step') open.delete('step')
  }
  if (endReason === 'awaiting_user')
    for (const [key, name] of open) if (name === 'ask_user_question' || requested.has(key)) open.delete(key)
  return [...open.keys()]
}

const checkLog = ({ log, row }: RunEvidence): string[] => {
  const problems: string[] = []
  const types = log.map(({ frame }) => frame.type)
  if (types[0] !== 'start' || count(log, 'start') !== 1) problems.push('the log does not begin with exactly one start')
  if (types.at(-1) !== 'finish') problems.push(`the log ends with ${types.at(-1)}`)
  if (count(log, 'finish') !== 1) problems.push(`the log has ${count(log, 'finish')} finishes`)
  if (problems.length > 0) return problems
  if (log[0]?.frame['messageId'] !== row.assistantMessageId) problems.push('start names another message')
  const { endReason } = (log.at(-1)?.frame['messageMetadata'] ?? {}) as { endReason?: unknown }
  const expectedEnd = ends[String(endReason)]
  if (expectedEnd === undefined || endReason !== row.endReason || expectedEnd.status !== row.status)
    problems.push(`the log ends as ${String(endReason)} but the run is ${row.status} (${row.endReason})`)
  for (const type of ['error', 'abort']) {
    const expected = expectedEnd?.before === type ? 1 : 0
    if (count(log, type) !== expected || (expected === 1 && types.at(-2) !== type))
      problems.push(`the log has ${count(log, type)} ${type} frames instead of ${expected} before finish`)
  }
  const errorText = log.at(-2)?.frame['errorText']
  if (expectedEnd?.before === 'error' && !errorTexts.has(String(errorText)))
    problems.push('the error text is not in the contract')
  problems.push(...listStrayFrames(log), ...listBadRetractions(log))
  problems.push(...listOpenParts(log, endReason).map((part) => `${part} is open at the end`))
  return problems
}

const checkReading = (reading: Reading, last: number, { faultDuring, limits }: Evidence): string[] => {
  const types = toLog(reading.frames).map(({ frame }) => frame.type)
  const finished = types.indexOf('finish')
  if (finished !== -1 && finished !== types.length - 1) return ['a reading has a frame after finish']
  if (reading.end === 'done' && finished === -1 && (types.length > 0 || (reading.after ?? -1) < last))
    return ['a reading has [DONE] without finish']
  const near = [reading.endedAt - 5000, reading.endedAt + limits.skewMs] as const
  if (reading.end === 'cut' && finished !== -1 && faultDuring(...near) === undefined)
    return ['a reading has finish without [DONE]']
  return []
}

/** G4: every log has one start and one finish, all parts between them are closed, and [DONE] follows. */
export const checkLogStructure = (evidence: Evidence): Violation[] =>
  evidence.runs.flatMap((run) => {
    // G1 covers a run that has not ended. The log of a deleted chat remains.
    const log = isTerminal(run.row.status) ? checkLog(run) : []
    const last = run.log.at(-1)?.index ?? -1
    const readings = run.readings.flatMap((reading) => checkReading(reading, last, evidence))
    return [...log, ...readings].map((text) => createViolation('G4', run.row.id, text))
  })
