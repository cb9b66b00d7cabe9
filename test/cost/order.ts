import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { recordedCosts } from './recorded.ts'

/** Long files first: a short one at the end leaves no processor idle. A file without a record is among the first. */
export class CostliestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const costs = recordedCosts()
    const costOf = ({ moduleId, project }: TestSpecification): number =>
      costs[project.name]?.[relative(this.ctx.config.root, moduleId)] ?? Infinity
    return Promise.resolve([...files].sort((a, b) => (costOf(a) < costOf(b) ? 1 : -1)))
  }
}
