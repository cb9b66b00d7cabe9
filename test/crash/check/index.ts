import type { Records, Violation } from '../records/records.ts'
import { checkBatches } from './batches.ts'
import { checkLogStructure } from './closings.ts'
import { checkEndings } from './endings.ts'
import { checkFiles } from './files/files.ts'
import { joinRecords, defaultLimits, type Limits } from './records/evidence.ts'
import { checkFrames } from './frames.ts'
import { checkMessages } from './messages.ts'
import { checkDuplicates } from './once.ts'
import { checkOverload } from './overload.ts'
import { checkQueue } from './queue.ts'
import { checkSlots } from './slots.ts'
import { checkStops } from './stops.ts'
import { checkDeploys, checkFailures, checkSurvival } from './survival.ts'

export type { Limits } from './records/evidence.ts'

const checks = [
  checkEndings,
  checkSlots,
  checkFrames,
  checkLogStructure,
  checkSurvival,
  checkFailures,
  checkMessages,
  checkDuplicates,
  checkBatches,
  checkStops,
  checkDeploys,
  checkOverload,
  checkQueue,
  checkFiles,
]

/** Checks the guarantees G1 to G7, G11 to G13, G17 and G19, using only the records of one harness run. */
export const checkGuarantees = (records: Records, limits: Partial<Limits> = {}): Violation[] => {
  const evidence = joinRecords(records, { ...defaultLimits, ...limits })
  return checks.flatMap((check) => check(evidence))
}
