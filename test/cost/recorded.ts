import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** CPU seconds by project and test file. */
export type Costs = Record<string, Record<string, number>>

const file = fileURLToPath(new URL('recorded.json', import.meta.url))

export function recordedCosts(): Costs {
  return JSON.parse(readFileSync(file, 'utf8')) as Costs
}

/** Replaces the recorded costs of measured files and removes those of deleted files. */
export function recordCosts(measured: Costs, exists: (testFile: string) => boolean): void {
  const costs = recordedCosts()
  for (const [project, files] of Object.entries(measured)) costs[project] = { ...costs[project], ...files }
  const sorted = Object.entries(costs).map(([project, files]) => [
    project,
    Object.fromEntries(
      Object.entries(files)
        .filter(([testFile]) => exists(testFile))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  ])
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
}
