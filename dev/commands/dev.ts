import { runStack } from './start.ts'

/** `npm run dev` */
export const main = (): Promise<void> => runStack({ watch: true })
