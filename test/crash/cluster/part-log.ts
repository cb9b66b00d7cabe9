import type { Print } from '../../../dev/say.ts'

/** Output of a part over all its lives: its last lines, and those that report a fault of its own. */
export type PartLog = {
  write: Print
  text(): string
  /** True when a line with this text came since the last `mark`. */
  saw(text: string): boolean
  /** A new life begins. */
  mark(): void
  /** Unhandled rejections, uncaught exceptions, fatal log lines. */
  readonly troubles: string[]
}

const linesKept = 2000
/** Lines behind a troubled one that describe it. */
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
