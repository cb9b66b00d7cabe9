import { runStack } from './start.ts'

/** `npm run dev`: runs the stack and restarts its processes when a source file changes. */
export function main(): Promise<void> {
  return runStack({ watch: true })
}
