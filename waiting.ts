import { setTimeout as pause } from 'node:timers/promises'

const pollIntervalMs = 500

/** Resolves once `findProblem` returns undefined. Reports a problem when it appears and when it changes. */
export async function waitUntilReady(
  findProblem: () => Promise<string | undefined>,
  report: (text: string) => void,
): Promise<void> {
  let reported: string | undefined
  for (;;) {
    const problem = await findProblem()
    if (problem === undefined) return
    if (problem !== reported) report(`waiting: ${problem}`)
    reported = problem
    await pause(pollIntervalMs)
  }
}
