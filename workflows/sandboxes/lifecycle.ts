import {
  condition,
  continueAsNew,
  defineSignal,
  isCancellation,
  proxyActivities,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import type { WatcherAction } from '../../activities/sandboxes/lifecycle.ts'
import type { ExtendOutcome, ProbeOutcome } from '../../domain/sandboxes/lifecycle.ts'
import { priorities } from '../messages.ts'
import { wakeSignal, type ExtendSandboxInput, type SessionInput } from './messages.ts'
import { proxyChangeActivities, proxyStartActivities } from './work.ts'

const { lookAtSandbox } = proxyActivities<Activities>({
  priority: priorities.background,
  startToCloseTimeout: '10s',
  retry: { initialInterval: '500ms', maximumInterval: '30s' },
})

const wake = defineSignal(wakeSignal)
const failurePause = '30s'

/**
 * Watches the sandbox of one session while it runs. Timers and signals only trigger a check; the session's row
 * determines the action.
 */
export async function watchSandbox({ sessionId }: SessionInput): Promise<void> {
  let isWoken = false
  setHandler(wake, () => {
    isWoken = true
  })
  for (;;) {
    isWoken = false
    const action = await lookAtSandbox({ sessionId })
    if (action.do === 'end') {
      if (isWoken) continue
      return
    }
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof watchSandbox>({ sessionId })
    if (action.do === 'wait') await condition(() => isWoken, action.ms)
    else await actOrPause(sessionId, action)
  }
}

/** Extends the lifetime of a session's sandbox. */
export function extendSandbox(input: ExtendSandboxInput): Promise<ExtendOutcome> {
  return proxyChangeActivities(priorities.interactive).extendSandbox(input)
}

const { probeSandbox: probe } = proxyActivities<Activities>({
  startToCloseTimeout: '20s',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '200ms', maximumAttempts: 2 },
})

/** Checks whether a session's sandbox exists. */
export function probeSandbox(input: SessionInput): Promise<ProbeOutcome> {
  return probe(input)
}

/**
 * Performs the action. After a failure, pauses instead of throwing, so that the session is watched as long as its
 * sandbox runs.
 */
async function actOrPause(sessionId: string, action: Exclude<WatcherAction, { do: 'end' | 'wait' }>): Promise<void> {
  try {
    if (await act(sessionId, action)) await proxyStartActivities().provisionSandbox({ sessionId })
  } catch (error) {
    if (isCancellation(error)) throw error
    await sleep(failurePause)
  }
}

/** Performs the action. Returns true when the session is active but its sandbox is not. */
async function act(sessionId: string, action: Exclude<WatcherAction, { do: 'end' | 'wait' }>): Promise<boolean> {
  const { lifecycleVersion } = action
  if (action.do === 'stop')
    return (await proxyChangeActivities(priorities.background).stopIdleSandbox({ sessionId, lifecycleVersion })).ended
  const { expiresAt } = action
  const { extendSandbox: extend } = proxyChangeActivities(priorities.interactive)
  const outcome = await extend({ sessionId, lifecycleVersion, expiresAt })
  return outcome === 'ended'
}
