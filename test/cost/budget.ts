import type { Costs } from './recorded.ts'

/** Budget of all files of a project, in CPU seconds, by their records. */
export const projectBudgets: Readonly<Record<string, number>> = {
  test: 720,
  replaying: 25,
  proof: 2000,
  store: 320,
}

/** A new file's share, until its own cost is recorded. */
const newFileBudgets: Readonly<Record<string, number>> = { test: 20, replaying: 20, proof: 90, store: 60 }

/** Between machines, and between an idle and a full one, the same work differs by this factor. */
const spread = 3

/** A proof waits for leases and restarts, longer on a busy machine, and the processes that wait cost time too. */
const slack: Readonly<Record<string, number>> = { test: 5, replaying: 5, proof: 30, store: 30 }

/** Files that took far more CPU time than their record, or, without one, more than a new file's share. */
export function listOverruns(measured: Costs, recorded: Costs): string[] {
  return Object.entries(measured).flatMap(([project, files]) =>
    Object.entries(files).flatMap(([file, seconds]) => {
      const budget = (recorded[project]?.[file] ?? newFileBudgets[project] ?? 0) * spread + (slack[project] ?? 0)
      return seconds <= budget
        ? []
        : [`${file} (${project}) took ${seconds.toFixed(1)} processor seconds; its budget is ${budget.toFixed(1)}`]
    }),
  )
}
