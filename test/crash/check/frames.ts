import type { Reading, Violation } from '../records/records.ts'
import { violation, type Evidence, type RunEvidence } from './records/evidence.ts'

const ofReading = (reading: Reading): string[] => {
  const found: string[] = []
  const first = (reading.after ?? -1) + 1
  const misplaced = reading.frames.find(({ index }, place) => index !== first + place)
  if (misplaced !== undefined)
    found.push(`a reading after ${reading.after ?? 'nothing'} has index ${misplaced.index} out of place`)
  const times = [reading.openedAt, ...reading.frames.map(({ at }) => at), reading.endedAt]
  if (times.some((at, place) => at < (times[place - 1] ?? -Infinity))) found.push('a reading goes back in time')
  return found
}

const ofLog = ({ log }: RunEvidence): string[] => {
  const gap = log.findIndex(({ index }, place) => index !== place)
  return gap === -1 ? [] : [`the stored log has index ${log[gap]?.index} in place ${gap}`]
}

/** Bytes are compared with the store and with the first reader of the index. */
const ofBytes = ({ log, readings }: RunEvidence): string[] => {
  const known = new Map(log.map(({ index, body }) => [index, body]))
  const stored = known.size
  const differing = new Set<string>()
  for (const { frames } of readings)
    for (const { index, body } of frames) {
      if (stored > 0 && index >= stored) differing.add(`index ${index} was read and is not stored`)
      const first = known.get(index) ?? body
      known.set(index, first)
      if (first !== body) differing.add(`index ${index} was read with other bytes than before`)
    }
  return [...differing]
}

/** G3: a run's frames have one index, one order and the same bytes for every reader, again and again. */
export const checkFrames = ({ records, runs, runById }: Evidence): Violation[] => [
  ...runs.flatMap((run) =>
    [...ofLog(run), ...run.readings.flatMap(ofReading), ...ofBytes(run)].map((text) =>
      violation('G3', run.row.id, text),
    ),
  ),
  ...records.readings
    .filter(({ runId, frames }) => frames.length > 0 && !runById.has(runId))
    // An accepted run that is gone is reported by G1.
    .filter(({ runId }) => !records.operations.some((one) => one.runId === runId))
    .map(({ runId }) => violation('G3', runId, 'was read and is not stored')),
]
