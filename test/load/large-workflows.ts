import { ActivityFailure, ApplicationFailure, proxyActivities } from '@temporalio/workflow'

export type LargeActivities = {
  take(text: string): Promise<number>
  give(length: number): Promise<string>
}

const { take, give } = proxyActivities<LargeActivities>({ startToCloseTimeout: '10s', retry: { maximumAttempts: 3 } })

const readErrorType = (error: unknown): string => {
  const cause = error instanceof ActivityFailure ? error.cause : error
  return cause instanceof ApplicationFailure ? (cause.type ?? '') : String(error)
}

/** Passes an argument of this length to an activity. Returns the length, or the type of the failure. */
export async function handOver(length: number): Promise<string> {
  try {
    return String(await take('x'.repeat(length)))
  } catch (error) {
    return readErrorType(error)
  }
}

export async function askFor(length: number): Promise<string> {
  try {
    return String((await give(length)).length)
  } catch (error) {
    return readErrorType(error)
  }
}
