export { runTurn } from './chat.ts'
export { computeDiff } from './repository.ts'
export { extendSandbox, probeSandbox, watchSandbox } from './lifecycle.ts'
export { ensureWorkspace, provisionSandbox, removeSandbox, stopSandbox } from './sandbox.ts'
