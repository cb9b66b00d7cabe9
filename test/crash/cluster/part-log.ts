import type { Print } from '../../../dev/say.ts'

/** The output of a part over all its lives: its last lines, and those that report an error of its own. */
export type PartLog = {
  write: Print
  text(): string
  /** Whether a line with this text was written since the last `mark`. */
  saw(text: string): boolean
  /** Starts a new life. */
  mark(): void
  /** Unhandled rejections, uncaught exceptions and fatal log lines. */
  readonly troubles: string[]
}

const linesKept = 2000
/** Number of lines after a trouble line that describe it. */
const linesAfter = 8
const trouble =
  /unhandled ?(promise ?)?rejection|uncaught ?exception|triggerUncaughtException|\d FATAL |heap out of memory|\| panic:|\bNode\.js v\d/i

export const createPartLog = (onLine: Print = () => {}): PartLog => {
  const lines: string[] = []
  const troubles: string[] = []
  let following = 0
  let life: string[] = []
  return {
    troubles,
    write: (line) => {
      onLine(line)
      for (const list of [lines, life]) {
        list.push(line)
        if (list.length > linesKept) list.shift()
      }
      if (trouble.test(line) && troubles.length < linesKept) {
        troubles.push(line)
        following = linesAfter
      } else if (following > 0 && line.trim() !== '') {
        following--
        troubles[troubles.length - 1] += `\n${line}`
      }
    },
    text: () => lines.join('\n'),
    saw: (text) => life.some((line) => line.includes(text)),
    mark: () => {
      life = []
    },
  }
}
