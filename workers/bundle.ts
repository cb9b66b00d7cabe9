import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode } from '@temporalio/worker'
import type { WorkflowBundle } from '@temporalio/worker'

/** Bundles the workflows: seconds of work, so it is done when the project is built and not when a worker starts. */
export const bundleWorkflows = async (): Promise<string> => {
  const { code } = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)),
    logger: { log: () => {}, trace: () => {}, debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  })
  return code
}

/** The bundle at this path, or one made now. */
export const loadBundle = async (path: string | undefined): Promise<WorkflowBundle> => ({
  code: path === undefined ? await bundleWorkflows() : await readFile(path, 'utf8'),
})
