export { runTurn } from './chat.ts'
export { ensureWorkspace, provisionSandbox, removeSandbox, stopSandbox } from './sandbox.ts'
