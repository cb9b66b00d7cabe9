import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, type WorkflowBundleOption } from '@temporalio/worker'

const ownWorkflows = fileURLToPath(new URL('../workflows/index.ts', import.meta.url))
const workflowInterceptorModules = [fileURLToPath(new URL('../workflows/runtime/foreign-build.ts', import.meta.url))]
const payloadConverterPath = fileURLToPath(new URL('../workflows/runtime/payloads.ts', import.meta.url))

/** Bundles the workflows. This takes seconds, so it runs when the project is built and not when a worker starts. */
export async function bundleWorkflows(workflowsPath = ownWorkflows): Promise<string> {
  const faults: string[] = []
  const keep = (message: string): number => faults.push(message)
  const logger = { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: quiet, error: keep }
  try {
    const options = { workflowsPath, workflowInterceptorModules, payloadConverterPath, logger }
    return (await bundleWorkflowCode(options)).code
  } catch (error) {
    throw new Error(['The workflows could not be bundled.', ...faults].join('\n'), { cause: error })
  }
}

/** Loads the bundle at this path, or creates one. */
export async function loadBundle(path: string | undefined): Promise<WorkflowBundleOption> {
  return path === undefined ? { code: await bundleWorkflows() } : { codePath: path }
}

function quiet(): void {}
