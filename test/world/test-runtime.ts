import type { Logger } from 'pino'
import { installRuntime } from '../../workers/sdk-runtime.ts'

let isInstalled = false

/** Installs the runtime of the engine's SDK once per process. The runtime writes to the log of the first call. */
export const installTestRuntime = (log: Logger): void => {
  if (!isInstalled) installRuntime(log)
  isInstalled = true
}
