import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode } from '@temporalio/worker'

const defaultWorkflows = fileURLToPath(new URL('../workflows/index.ts', import.meta.url))
const workflowInterceptorModules = [fileURLToPath(new URL('../workflows/runtime/foreign-build.ts', import.meta.url))]
const payloadConverterPath = fileURLToPath(new URL('../workflows/runtime/payloads.ts', import.meta.url))

/** Bundles the workflows. Bundling takes seconds, so it is part of the build and not of the start of a worker. */
export async function bundleWorkflows(workflowsPath = defaultWorkflows): Promise<string> {
  const errors: string[] = []
  const collect = (message: string): number => errors.push(message)
  const logger = { log: ignore, trace: ignore, debug: ignore, info: ignore, warn: ignore, error: collect }
  try {
    const options = { workflowsPath, workflowInterceptorModules, payloadConverterPath, logger }
    return (await bundleWorkflowCode(options)).code
  } catch (error) {
    throw new Error(['The workflows could not be bundled.', ...errors].join('\n'), { cause: error })
  }
}

function ignore(): void {}
