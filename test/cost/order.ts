import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { recordedCosts } from './recorded.ts'

/** Runs the most expensive files first, so that no processor is idle at the end. Files without a record come first. */
export class CostliestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const costs = recordedCosts()
    const findCost = ({ moduleId, project }: TestSpecification): number =>
      costs[project.name]?.[relative(this.ctx.config.root, moduleId)] ?? Infinity
    return Promise.resolve([...files].sort((a, b) => (findCost(a) < findCost(b) ? 1 : -1)))
  }
}
