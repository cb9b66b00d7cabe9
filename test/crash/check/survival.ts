import type { Fault, Operation, Violation } from '../records/records.ts'
import { modelErrorTexts } from './closings.ts'
import { concerns, groupBy, isDeploy, createViolation, type Evidence, type RunEvidence } from './records/evidence.ts'

const maxAttemptsPerStep = 3
/** Outcomes after which the model is not called again. */
const fatalOutcomes = new Set(['400', '401', '403', '404', '422', 'endless'])

const isOtherFault = (fault: Fault): boolean => !isDeploy(fault)

const groupTries = ({ requests }: RunEvidence) => [...groupBy(requests, ({ call }) => call)]

/** Whether the requests to the external services show that the model failed for this run. */
const hasModelFailed = (run: RunEvidence): boolean =>
  groupTries(run).some(
    ([, tries]) =>
      tries.some(({ outcome }) => fatalOutcomes.has(outcome)) ||
      tries.filter(({ outcome }) => outcome !== 'whole').length >= maxAttemptsPerStep,
  )

const isRefusal = ({ status }: Operation): boolean => status === 429 || status === 503

type FailureGuarantee = 'G5' | 'G12' | 'G13'

/** Returns the guarantee that a failed run violates, or undefined if its model or its time limit explains the failure. */
const findViolated = (run: RunEvidence, { records, limits, faultDuring }: Evidence): FailureGuarantee | undefined => {
  const { row, endedAt } = run
  if (row.endReason === 'time_limit' && endedAt - row.createdAt >= limits.runTimeMs) return undefined
  if (modelErrorTexts.includes(row.error ?? '') && hasModelFailed(run)) return undefined
  const hasOtherFault = faultDuring(row.createdAt, endedAt, isOtherFault) !== undefined
  // A deploy does not justify a failure, but other faults that exhausted the attempts do.
  const attemptsExhausted = groupTries(run).some(([, tries]) => tries.length >= maxAttemptsPerStep)
  if (faultDuring(row.createdAt, endedAt, isDeploy) !== undefined)
    return hasOtherFault && attemptsExhausted ? undefined : 'G12'
  if (hasOtherFault) return undefined
  const refused = records.operations.some(
    (operation) =>
      isRefusal(operation) && operation.requestedAt <= endedAt && (operation.answeredAt ?? Infinity) >= row.createdAt,
  )
  return refused ? 'G13' : 'G5'
}

/** Reports unexplained failures of runs, each under the guarantee that it violates. */
export const checkFailures = (evidence: Evidence): Violation[] =>
  evidence.runs
    .filter(({ row }) => row.status === 'failed')
    .flatMap((run) => {
      const guarantee = findViolated(run, evidence)
      const text = `failed (${run.row.endReason}: ${run.row.error}) without a cause`
      return guarantee === undefined ? [] : [createViolation(guarantee, run.row.id, text)]
    })

/** Whether a client requested a stop or a deletion while the run may have been active. */
const isStopRequested = (run: RunEvidence, evidence: Evidence): boolean =>
  evidence.records.operations.some(
    (operation) =>
      (operation.kind === 'stop' || operation.kind === 'delete' || operation.onBusy === 'interrupt') &&
      concerns(operation, run, evidence) &&
      operation.requestedAt <= run.endedAt + evidence.limits.skewMs &&
      (isAnswered(operation) ? operation.answeredAt >= run.row.createdAt - evidence.limits.skewMs : true),
  )

const isAnswered = (operation: Operation): operation is Operation & { answeredAt: number } =>
  operation.answeredAt !== undefined && operation.status !== undefined && operation.status < 500

/** G5: only a stop ends a run early. Readers that connect or disconnect have no effect. */
export const checkSurvival = (evidence: Evidence): Violation[] =>
  evidence.runs.flatMap((run) => {
    const { row } = run
    const isRequested = isStopRequested(run, evidence)
    if (row.status === 'cancelled' && row.stopRequestedAt === null)
      return [createViolation('G5', row.id, 'was cancelled without a recorded stop')]
    if (row.stopRequestedAt !== null && !isRequested)
      return [createViolation('G5', row.id, 'was stopped without a request')]
    return []
  })

/** G12: a model call that received a complete response is not repeated after a deploy. */
export const checkDeploys = ({ runs, faultDuring }: Evidence): Violation[] =>
  runs
    .filter(({ row, endedAt }) => faultDuring(row.createdAt, endedAt, isDeploy) !== undefined)
    .filter(({ row, endedAt }) => faultDuring(row.createdAt, endedAt, isOtherFault) === undefined)
    .flatMap((run) =>
      groupTries(run).flatMap(([call, tries]) => {
        const whole = tries.findIndex(({ outcome }) => outcome === 'whole')
        if (whole === -1 || whole === tries.length - 1) return []
        return [
          createViolation(
            'G12',
            run.row.id,
            `${call} received a complete response, but was requested again after a deploy`,
          ),
        ]
      }),
    )
