import { runStack } from './start.ts'

/** `npm run dev` */
export function main(): Promise<void> {
  return runStack({ watch: true })
}
