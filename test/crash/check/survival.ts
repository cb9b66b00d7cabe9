import type { Fault, Operation, Violation } from '../records/records.ts'
import { modelTexts } from './closings.ts'
import { concerns, groupBy, isDeploy, violation, type Evidence, type RunEvidence } from './records/evidence.ts'

const attemptsPerStep = 3
/** Outcomes that a retry cannot improve. */
const fatalOutcomes = new Set(['400', '401', '403', '404', '422', 'endless'])

const isOther = (fault: Fault): boolean => !isDeploy(fault)

const groupTries = ({ requests }: RunEvidence) => [...groupBy(requests, ({ call }) => call)]

/** The outside world's own log shows that the model failed this run. */
const hasModelFailed = (run: RunEvidence): boolean =>
  groupTries(run).some(
    ([, tries]) =>
      tries.some(({ outcome }) => fatalOutcomes.has(outcome)) ||
      tries.filter(({ outcome }) => outcome !== 'whole').length >= attemptsPerStep,
  )

const isRefusal = ({ status }: Operation): boolean => status === 429 || status === 503

type Blame = 'G5' | 'G12' | 'G13'

/** Returns the promise that a failed run breaks; undefined if it failed for a cause of its own. */
const findBrokenPromise = (run: RunEvidence, { records, limits, faultDuring }: Evidence): Blame | undefined => {
  const { row, endedAt } = run
  if (row.endReason === 'time_limit' && endedAt - row.createdAt >= limits.runTimeMs) return undefined
  if (modelTexts.includes(row.error ?? '') && hasModelFailed(run)) return undefined
  const hurt = faultDuring(row.createdAt, endedAt, isOther) !== undefined
  // A deploy excuses nothing, but other faults that used up the attempts meanwhile do.
  const usedUp = groupTries(run).some(([, tries]) => tries.length >= attemptsPerStep)
  if (faultDuring(row.createdAt, endedAt, isDeploy) !== undefined) return hurt && usedUp ? undefined : 'G12'
  if (hurt) return undefined
  const refused = records.operations.some(
    (one) => isRefusal(one) && one.requestedAt <= endedAt && (one.answeredAt ?? Infinity) >= row.createdAt,
  )
  return refused ? 'G13' : 'G5'
}

/** Reports failed runs that nothing explains, each under the promise that it breaks. */
export const checkFailures = (evidence: Evidence): Violation[] =>
  evidence.runs
    .filter(({ row }) => row.status === 'failed')
    .flatMap((run) => {
      const blame = findBrokenPromise(run, evidence)
      const text = `failed (${run.row.endReason}: ${run.row.error}) without a cause`
      return blame === undefined ? [] : [violation(blame, run.row.id, text)]
    })

/** Whether a client requested a stop or a deletion while the run could be live. */
const isStopRequested = (run: RunEvidence, evidence: Evidence): boolean =>
  evidence.records.operations.some(
    (one) =>
      (one.kind === 'stop' || one.kind === 'delete' || one.onBusy === 'interrupt') &&
      concerns(one, run, evidence) &&
      one.requestedAt <= run.endedAt + evidence.limits.skewMs &&
      (isAnswered(one) ? one.answeredAt >= run.row.createdAt - evidence.limits.skewMs : true),
  )

const isAnswered = (one: Operation): one is Operation & { answeredAt: number } =>
  one.answeredAt !== undefined && one.status !== undefined && one.status < 500

/** G5: nothing but a stop ends a run early; readers that come and go change nothing. */
export const checkSurvival = (evidence: Evidence): Violation[] =>
  evidence.runs.flatMap((run) => {
    const { row } = run
    const isRequested = isStopRequested(run, evidence)
    if (row.status === 'cancelled' && row.stopRequestedAt === null)
      return [violation('G5', row.id, 'was cancelled without a recorded stop')]
    if (row.stopRequestedAt !== null && !isRequested) return [violation('G5', row.id, 'was stopped without a request')]
    return []
  })

/** G12: work that survives a deploy is not repeated; failed work is reported as a failure. */
export const checkDeploys = ({ runs, faultDuring }: Evidence): Violation[] =>
  runs
    .filter(({ row, endedAt }) => faultDuring(row.createdAt, endedAt, isDeploy) !== undefined)
    .filter(({ row, endedAt }) => faultDuring(row.createdAt, endedAt, isOther) === undefined)
    .flatMap((run) =>
      groupTries(run).flatMap(([call, tries]) => {
        const whole = tries.findIndex(({ outcome }) => outcome === 'whole')
        if (whole === -1 || whole === tries.length - 1) return []
        return [violation('G12', run.row.id, `${call} was answered completely, but requested again after a deploy`)]
      }),
    )
