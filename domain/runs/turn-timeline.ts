import type { Usage } from '../credits/usage.ts'
import type { ListedRun } from './listed-run.ts'
import { toTimelineEntry, withRetryWaits, withError, type TimelineEntry } from './timeline.ts'

type Times = { startedAt: Date | null; endedAt: Date | null }
type ModelCall = {
  finishReason: string | null
  usage: Usage | null
  costUsd: string | null
  /** Absent for sub-agents. */
  firstOutputMs?: number | null
}
type Attempt = Times & { step: number; callId: string; attempt: number; reason: string; detail: string | null }
type Step = Times & ModelCall & { step: number; attempt: number; modelId: string }

/** Stored data of a turn. */
export type TurnRecords = {
  /** The newest attempt that opened a step. */
  open:
    | {
        step: number
        attempt: number
        startedAt: Date | null
        abandonedAt: Date | null
        abandonedReason: string | null
        abandonedDetail: string | null
      }
    | undefined
  steps: Step[]
  /** Abandoned or lost attempts. */
  attempts: Attempt[]
  calls: (Times & {
    toolCallId: string
    step: number
    toolName: string
    attempt: number | null
    input: string
    output: string | null
    error: string | null
  })[]
  /** Steps (without a call id) and calls of sub-agents. */
  subEntries: (Times &
    ModelCall & {
      toolCallId: string
      step: number
      callId: string
      name: string
      attempt: number | null
      input: string | null
      output: string | null
    })[]
  commit: (Times & { state: 'pending' | 'done'; error: string | null }) | undefined
  /** Time at which the user answered the question that ended the turn. */
  answeredAt: Date | null
}

/** Returns the timeline entries of a turn, each parent before its children. */
export function turnEntries(run: ListedRun, records: TurnRecords): TimelineEntry[] {
  const steps = listSteps(run, records)
  return [
    queueWait(run),
    ...steps.flatMap((step, index) => stepEntries(run, records, step, steps[index - 1])),
    ...commitEntries(run, records),
    ...userWait(run, records),
  ]
}

const reasons: Record<string, string> = {
  worker_lost: 'The worker was lost',
  model_error: 'The model call failed',
  timeout: 'The model call took too long',
  failed: 'The attempt failed',
}

/** Returns why an attempt ended early, with the provider's message if there is one. */
function describeReason(reason: string, detail: string | null): string {
  const text = reasons[reason] ?? reason
  return detail === null ? text : `${text}: ${detail}`
}

type TimelineStep = Omit<Step, 'finishReason'> & {
  finishReason: string | null
  reason: string | null
  detail: string | null
}

/** Returns the ended steps, and the step that is open or was open at the end of the turn. */
function listSteps(run: ListedRun, { open, steps }: TurnRecords): TimelineStep[] {
  const endedSteps = steps.map((step) => ({ ...step, reason: null, detail: null }))
  if (open === undefined || steps.some(({ step }) => step === open.step)) return endedSteps
  const { step, attempt, startedAt, abandonedAt, abandonedReason, abandonedDetail: detail } = open
  const endedAt = run.endedAt === null ? null : (abandonedAt ?? run.endedAt)
  const model = { modelId: run.modelId ?? '', finishReason: null, usage: null, costUsd: null }
  return [...endedSteps, { ...model, step, attempt, startedAt, endedAt, reason: abandonedReason, detail }]
}

function stepEntries(
  run: ListedRun,
  { attempts, calls, subEntries }: TurnRecords,
  step: TimelineStep,
  previousStep: TimelineStep | undefined,
): TimelineEntry[] {
  const id = `step:${step.step}`
  const stepAttempts = attempts.filter((attempt) => attempt.step === step.step && attempt.callId === '')
  const startedAt = stepAttempts[0]?.startedAt ?? step.startedAt ?? previousStep?.endedAt ?? run.startedAt
  // A head start is attempt 0 in the log; people count attempts from 1.
  const firstNumber = Math.min(1, step.attempt, ...stepAttempts.map(({ attempt }) => attempt))
  const entry = toTimelineEntry({
    id,
    kind: 'step',
    name: String(step.step + 1),
    status: stepStatus(run, step),
    startedAt,
    endedAt: step.endedAt,
    attempt: step.attempt + 1 - firstNumber,
    model: toModel(step.modelId, step),
  })
  const hasFailed = entry.status === 'failed'
  return [
    hasFailed ? withError(entry, 'StepFailed', explainStepFailure(run, step)) : entry,
    ...attemptEntries(
      id,
      stepAttempts.map((attempt) => ({ ...attempt, attempt: attempt.attempt + 1 - firstNumber })),
      { nextAt: step.startedAt, hasEnded: step.endedAt !== null },
    ),
    ...calls
      .filter((call) => call.step === step.step)
      .flatMap((call) => callEntries(run, id, call, attempts, subEntries)),
  ]
}

function explainStepFailure(run: ListedRun, { reason, detail }: TimelineStep): string {
  if (reason !== null) return describeReason(reason, detail)
  return run.error?.message ?? 'The step failed'
}

function stepStatus(run: ListedRun, { finishReason, endedAt }: TimelineStep): TimelineEntry['status'] {
  if (finishReason !== null) return 'completed'
  if (endedAt === null) return 'running'
  return run.status === 'cancelled' ? 'cancelled' : 'failed'
}

/** Returns the entries of abandoned attempts, with the waits after them. */
function attemptEntries(
  parentId: string,
  attempts: readonly Attempt[],
  last: { nextAt: Date | null; hasEnded: boolean },
): TimelineEntry[] {
  const entries = attempts.map(({ attempt, reason, detail, startedAt, endedAt }, index) =>
    withError(
      toTimelineEntry({
        id: `${parentId}:attempt:${attempt}`,
        parentId,
        kind: 'attempt',
        name: String(attempt),
        status: reason === 'worker_lost' ? 'lost' : 'failed',
        startedAt: startedAt ?? attempts[index - 1]?.endedAt ?? null,
        endedAt,
        attempt,
      }),
      reason === 'worker_lost' ? 'WorkerLost' : 'AttemptFailed',
      describeReason(reason, detail),
    ),
  )
  return withRetryWaits(parentId, entries, last)
}

type Call = TurnRecords['calls'][number]

function callEntries(
  run: ListedRun,
  parentId: string,
  call: Call,
  attempts: readonly Attempt[],
  subEntries: TurnRecords['subEntries'],
): TimelineEntry[] {
  const id = `tool:${call.toolCallId}`
  const entry = toTimelineEntry({
    id,
    parentId,
    kind: 'tool',
    name: call.toolName,
    status: callStatus(run, call),
    startedAt: call.startedAt,
    endedAt: call.endedAt ?? (call.startedAt === null ? null : run.endedAt),
    attempt: call.attempt,
    input: call.input,
    output: call.output,
  })
  return [
    call.error === null ? entry : withError(entry, 'ToolFailed', call.error),
    ...attemptEntries(
      id,
      attempts
        .filter(({ callId }) => callId === call.toolCallId)
        .map((attempt, index) =>
          index === 0 ? { ...attempt, startedAt: attempt.startedAt ?? call.startedAt } : attempt,
        ),
      { nextAt: null, hasEnded: true },
    ),
    ...subEntries.filter(({ toolCallId }) => toolCallId === call.toolCallId).map((sub) => subEntry(run, id, sub)),
  ]
}

function callStatus(run: ListedRun, { endedAt, startedAt, error }: Pick<Call, 'endedAt' | 'startedAt' | 'error'>) {
  if (error !== null && (endedAt !== null || run.endedAt !== null))
    return run.status === 'cancelled' && endedAt === null ? 'cancelled' : 'failed'
  if (endedAt !== null) return 'completed'
  if (run.endedAt !== null) return 'cancelled'
  return startedAt === null ? 'waiting' : 'running'
}

function subEntry(run: ListedRun, taskId: string, sub: TurnRecords['subEntries'][number]): TimelineEntry {
  const { callId, step, name, startedAt, finishReason } = sub
  const stepId = `${taskId}:step:${step}`
  const endedAt = sub.endedAt ?? (startedAt === null ? null : run.endedAt)
  const commonFields = { startedAt, endedAt, attempt: sub.attempt, input: sub.input, output: sub.output }
  if (callId === '')
    return toTimelineEntry({
      ...commonFields,
      id: stepId,
      parentId: taskId,
      kind: 'step',
      name: String(step + 1),
      status: finishReason !== null ? 'completed' : endedAt === null ? 'running' : 'cancelled',
      model: toModel(name, sub),
    })
  const status = callStatus(run, { startedAt, endedAt: sub.endedAt, error: null })
  return toTimelineEntry({ ...commonFields, id: `tool:${callId}`, parentId: stepId, kind: 'tool', name, status })
}

function toModel(
  modelId: string,
  { finishReason, usage, costUsd, firstOutputMs = null }: ModelCall,
): TimelineEntry['model'] {
  return {
    modelId,
    finishReason,
    inputTokens: Math.round(usage?.inputTokens ?? 0),
    cachedInputTokens: Math.round(usage?.inputTokenDetails?.cacheReadTokens ?? 0),
    outputTokens: Math.round(usage?.outputTokens ?? 0),
    costUsd,
    firstOutputMs,
  }
}

/** Returns the wait from acceptance to the start of the run. */
export function queueWait(run: ListedRun): TimelineEntry {
  const endedAt = run.startedAt ?? run.endedAt
  return toTimelineEntry({
    id: 'wait:queue',
    kind: 'wait',
    name: 'queue',
    status: endedAt === null ? 'waiting' : run.startedAt === null ? 'cancelled' : 'completed',
    startedAt: run.createdAt,
    endedAt,
  })
}

function commitEntries(run: ListedRun, { commit }: TurnRecords): TimelineEntry[] {
  if (commit === undefined) return []
  const { startedAt, error } = commit
  const endedAt = commit.endedAt ?? run.endedAt
  const status = error !== null ? 'failed' : endedAt === null ? 'running' : 'completed'
  const entry = toTimelineEntry({ id: 'commit', kind: 'commit', name: 'commit', status, startedAt, endedAt })
  return [error === null ? entry : withError(entry, 'CommitFailed', error)]
}

function userWait(run: ListedRun, { answeredAt }: TurnRecords): TimelineEntry[] {
  if (run.endReason !== 'awaiting_user') return []
  const status = answeredAt === null ? 'waiting' : 'completed'
  const { endedAt: startedAt } = run
  return [toTimelineEntry({ id: 'wait:user', kind: 'wait', name: 'user', status, startedAt, endedAt: answeredAt })]
}
