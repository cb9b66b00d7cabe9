import type { Fault, Violation } from '../../records/records.ts'
import { createViolation, groupBy, type Evidence } from '../records/evidence.ts'
import type { Command, Loss, Session } from './session.ts'

/** Whether a checkpoint may fail during the fault. The next step then starts without this checkpoint. */
const canFailCheckpoint = ({ kind }: Fault): boolean => /store|postgres|^all$|^machine-cut$/.test(kind)

const hasSeen = ({ token, seen: shown }: Command, reader: Command): boolean =>
  reader.token === token ||
  (reader.seen?.workingTree.has(token) === true && (shown === undefined || reader.seen.home.has(token)))

/** Returns the commands that used the files of one epoch and print them, in the order of their starts. */
const listReaders = ({ commands }: Session, from: number, to: number): Command[] =>
  commands
    .filter(({ seen, startedAt, endedAt }) => seen !== undefined && startedAt > from && endedAt < to)
    .toSorted((left, right) => left.startedAt - right.startedAt)

type Step = { runId: string; step: number; startedAt: number; endedAt: number }

/** Groups commands by step, oldest first. */
const groupSteps = (commands: readonly Command[]): Step[] =>
  [...groupBy(commands, ({ runId, step }) => `${runId} ${step}`).values()]
    .map((group) => ({
      runId: group[0]!.runId,
      step: group[0]!.step,
      startedAt: Math.min(...group.map(({ startedAt }) => startedAt)),
      endedAt: Math.max(...group.map(({ endedAt }) => endedAt)),
    }))
    .toSorted((left, right) => left.startedAt - right.startedAt)

/** Returns the commands whose effects the files had before the loss and that the first command after the loss did not see. */
const listLost = (session: Session, loss: Loss, previous: Loss | undefined, next: Loss | undefined): Command[] => {
  const [reader] = listReaders(session, loss.lostAt, next?.lostAt ?? Infinity)
  if (reader === undefined) return []
  const from = previous?.lostAt ?? 0
  const newest = listReaders(session, from, loss.lostAt).at(-1)
  const isPresent = (command: Command): boolean =>
    command.startedAt > from || (newest !== undefined && hasSeen(command, newest))
  return session.commands.filter(
    (command) => command.endedAt < loss.lostAt && isPresent(command) && !hasSeen(command, reader),
  )
}

/**
 * Whether a fault explains each loss of a step that is not the newest. A push whose checkpoint fails discards a checkpoint
 * that lacks a step, so that all steps may be lost.
 */
const isExplained = (steps: Step[], { checkpointAt, lostAt }: Loss, { faultDuring }: Evidence): boolean =>
  steps.slice(0, -1).every(({ endedAt }, index) => {
    const until = checkpointAt === undefined ? lostAt : steps[index + 1]!.startedAt
    return faultDuring(endedAt, until, canFailCheckpoint) !== undefined
  })

/**
 * Lists the losses that include more than the newest step. A step waits for the checkpoint of the previous step, so the files
 * lack two steps only if this checkpoint has failed.
 */
export const listLostSteps = (session: Session, evidence: Evidence): Violation[] => {
  const byEpoch = new Map(session.losses.map((loss) => [loss.epoch, loss]))
  return [...byEpoch.values()].flatMap((loss) => {
    const previous = byEpoch.get(loss.epoch - 1)
    // The time of a loss that was announced in no chat is unknown.
    if (loss.epoch < 2 || (loss.epoch > 2 && previous === undefined)) return []
    const lost = groupSteps(listLost(session, loss, previous, byEpoch.get(loss.epoch + 1)))
    if (isExplained(lost, loss, evidence)) return []
    const names = lost.map(({ runId, step }) => `${runId} step ${step}`).join(', ')
    const text = `the loss of epoch ${loss.epoch} includes ${lost.length} steps: ${names}`
    return [createViolation('G19', loss.runId, text)]
  })
}
