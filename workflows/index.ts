export { runTurn } from './chat.ts'
export { computeDiff } from './repository.ts'
export { ensureWorkspace, provisionSandbox, removeSandbox, stopSandbox } from './sandbox.ts'
