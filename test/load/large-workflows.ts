import { ActivityFailure, ApplicationFailure, proxyActivities } from '@temporalio/workflow'

export type LargeActivities = {
  receiveText(text: string): Promise<number>
  returnText(length: number): Promise<string>
}

const { receiveText, returnText } = proxyActivities<LargeActivities>({
  startToCloseTimeout: '10s',
  retry: { maximumAttempts: 3 },
})

const readErrorType = (error: unknown): string => {
  const cause = error instanceof ActivityFailure ? error.cause : error
  return cause instanceof ApplicationFailure ? (cause.type ?? '') : String(error)
}

/** Passes an argument of this length to an activity. Returns the length, or the type of the failure. */
export async function passArgument(length: number): Promise<string> {
  try {
    return String(await receiveText('x'.repeat(length)))
  } catch (error) {
    return readErrorType(error)
  }
}

export async function requestResult(length: number): Promise<string> {
  try {
    return String((await returnText(length)).length)
  } catch (error) {
    return readErrorType(error)
  }
}
