import type { Reading, Violation } from '../records/records.ts'
import { createViolation, type Evidence, type RunEvidence } from './records/evidence.ts'

const checkReading = (reading: Reading): string[] => {
  const problems: string[] = []
  const first = (reading.after ?? -1) + 1
  const misplaced = reading.frames.find(({ index }, position) => index !== first + position)
  if (misplaced !== undefined)
    problems.push(`a reading after ${reading.after ?? 'nothing'} has index ${misplaced.index} out of order`)
  const times = [reading.openedAt, ...reading.frames.map(({ at }) => at), reading.endedAt]
  if (times.some((at, position) => at < (times[position - 1] ?? -Infinity)))
    problems.push('the times of a reading decrease')
  return problems
}

const checkLog = ({ log }: RunEvidence): string[] => {
  const gap = log.findIndex(({ index }, position) => index !== position)
  return gap === -1 ? [] : [`the stored log has index ${log[gap]?.index} at position ${gap}`]
}

/** Compares the bytes of each reading with the stored bytes, or with those of the first reading of the index. */
const checkBytes = ({ log, readings }: RunEvidence): string[] => {
  const bodies = new Map(log.map(({ index, body }) => [index, body]))
  const stored = bodies.size
  const differing = new Set<string>()
  for (const { frames } of readings)
    for (const { index, body } of frames) {
      if (stored > 0 && index >= stored) differing.add(`index ${index} was read but is not stored`)
      const first = bodies.get(index) ?? body
      bodies.set(index, first)
      if (first !== body) differing.add(`index ${index} was read with different bytes than before`)
    }
  return [...differing]
}

/** G3: every reading of a run receives its frames with the same indexes, order and bytes. */
export const checkFrames = ({ records, runs, runById }: Evidence): Violation[] => [
  ...runs.flatMap((run) =>
    [...checkLog(run), ...run.readings.flatMap(checkReading), ...checkBytes(run)].map((text) =>
      createViolation('G3', run.row.id, text),
    ),
  ),
  ...records.readings
    .filter(({ runId, frames }) => frames.length > 0 && !runById.has(runId))
    // G1 covers an accepted run that is not stored.
    .filter(({ runId }) => !records.operations.some((operation) => operation.runId === runId))
    .map(({ runId }) => createViolation('G3', runId, 'was read but is not stored')),
]
