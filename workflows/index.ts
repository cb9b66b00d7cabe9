export { runTurn } from './chat.ts'
export { ensureWorkspace, provisionSandbox, stopSandbox } from './sandbox.ts'
