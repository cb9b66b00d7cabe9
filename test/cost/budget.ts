import type { Costs } from './recorded.ts'

/** Budgets for the recorded CPU seconds of all files of a project. */
export const projectBudgets: Readonly<Record<string, number>> = {
  test: 730,
  replaying: 25,
  proof: 2000,
  store: 120,
}

/** Cost of a new file, in CPU seconds, until it is recorded. Also the minimum budget of each file, without the allowance. */
const assumedCosts: Readonly<Record<string, number>> = { test: 20, replaying: 20, proof: 90, store: 60 }

/** Factor by which a file may exceed its recorded cost, which varies between machines and with their load. */
const tolerance = 3

/** Additional CPU seconds by project. Proofs wait longer on a busy machine, and waiting costs CPU time. */
const allowances: Readonly<Record<string, number>> = { test: 5, replaying: 5, proof: 30, store: 30 }

/** Returns an error text for each file whose CPU time exceeds its budget. */
export function listOverruns(measured: Costs, recorded: Costs): string[] {
  return Object.entries(measured).flatMap(([project, files]) =>
    Object.entries(files).flatMap(([file, seconds]) => {
      const assumedCost = assumedCosts[project] ?? 0
      const recordedCost = recorded[project]?.[file] ?? assumedCost
      const budget = Math.max(recordedCost * tolerance, assumedCost) + (allowances[project] ?? 0)
      return seconds <= budget
        ? []
        : [`${file} (${project}) took ${seconds.toFixed(1)} CPU seconds; its budget is ${budget.toFixed(1)}`]
    }),
  )
}
