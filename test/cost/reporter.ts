import { existsSync } from 'node:fs'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { listOverruns } from './budget.ts'
import type { Cost } from './measure.ts'
import { recordCosts, recordedCosts, type Costs } from './recorded.ts'

const maxFiles = 10
const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)
const total = ({ own, postgres, temporal }: Cost): number => own + postgres + temporal
const formatRow = (cells: (string | number)[]): string =>
  cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(1) : cell).padStart(9)).join('')

/**
 * Prints the cost of the test files in CPU seconds, and fails the run if a file exceeds its budget. With
 * `RECORD_COSTS=1`, which runs one file at a time, costs include the shares of Postgres and Temporal and are
 * recorded.
 */
export class CostReporter implements Reporter {
  readonly #isRecording = process.env['RECORD_COSTS'] === '1'
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.flatMap((module) => {
      const { cost } = module.meta()
      return cost === undefined ? [] : [{ project: module.project.name, file: module.relativeModuleId, cost }]
    })
    if (files.length === 0) return
    files.sort((a, b) => total(b.cost) - total(a.cost))
    const measured: Costs = {}
    for (const { project, file, cost } of files)
      (measured[project] ??= {})[file] = Math.round((this.#isRecording ? total(cost) : cost.own) * 10) / 10
    this.#show(files)
    if (this.#isRecording) recordCosts(measured, existsSync)
    for (const overrun of listOverruns(measured, recordedCosts())) {
      this.#say(overrun)
      process.exitCode = 1
    }
  }

  #show(files: { project: string; file: string; cost: Cost }[]): void {
    this.#say(`\nCPU seconds\n${formatRow(['own', 'postgres', 'temporal'])}`)
    for (const { project, file, cost } of files.slice(0, maxFiles))
      this.#say(`${formatRow([cost.own, cost.postgres, cost.temporal])}  ${file} (${project})`)
    const shares = (['own', 'postgres', 'temporal'] as const).map((share) => sum(files.map(({ cost }) => cost[share])))
    this.#say(`${formatRow(shares)}  all ${files.length} files`)
  }

  #say(line: string): void {
    this.#vitest?.logger.log(line)
  }
}
