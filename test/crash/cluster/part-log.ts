import type { Print } from '../../../dev/say.ts'

/** The output of all processes of a part: its last lines, and the lines that report an error. */
export type PartLog = {
  write: Print
  text(): string
  /** Whether the current process has written a line with this text. */
  hasLine(text: string): boolean
  /** Begins the output of a new process. */
  beginProcess(): void
  /** Unhandled rejections, uncaught exceptions and fatal log lines. */
  readonly errorLines: string[]
}

const maxLines = 2000
/** Number of lines after an error line that are recorded with it. */
const maxFollowingLines = 8
const errorPattern =
  /unhandled ?(promise ?)?rejection|uncaught ?exception|triggerUncaughtException|\d FATAL |heap out of memory|\| panic:|\bNode\.js v\d/i

export const createPartLog = (onLine: Print = () => {}): PartLog => {
  const lines: string[] = []
  const errorLines: string[] = []
  let followingLines = 0
  let currentLines: string[] = []
  return {
    errorLines,
    write: (line) => {
      onLine(line)
      for (const list of [lines, currentLines]) {
        list.push(line)
        if (list.length > maxLines) list.shift()
      }
      if (errorPattern.test(line) && errorLines.length < maxLines) {
        errorLines.push(line)
        followingLines = maxFollowingLines
      } else if (followingLines > 0 && line.trim() !== '') {
        followingLines--
        errorLines[errorLines.length - 1] += `\n${line}`
      }
    },
    text: () => lines.join('\n'),
    hasLine: (text) => currentLines.some((line) => line.includes(text)),
    beginProcess: () => {
      currentLines = []
    },
  }
}
