import type { Logger } from 'pino'
import { installRuntime } from '../../workers/sdk-runtime.ts'

let isInstalled = false

/** Installs the engine's SDK, which has one runtime per process, for all test files of this process. It logs to the first log. */
export const installTestRuntime = (log: Logger): void => {
  if (!isInstalled) installRuntime(log)
  isInstalled = true
}
