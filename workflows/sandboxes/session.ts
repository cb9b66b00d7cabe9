import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import { priorities } from '../messages.ts'
import type { BaseInput, OwnerInput, SandboxInput, SessionInput } from './messages.ts'
import { proxyBuildActivities, proxyChangeActivities, proxyStartActivities } from './work.ts'

/** Starts or resumes the sandbox of a session. */
export function provisionSandbox(input: SessionInput): Promise<void> {
  return proxyStartActivities().provisionSandbox(input)
}

/** Stops the sandbox of an archived session. */
export function stopSandbox(input: SessionInput): Promise<void> {
  return proxyChangeActivities(priorities.background).stopSandbox(input)
}

/** Removes the sandbox of a deleted session. */
export function removeSandbox(input: SandboxInput): Promise<void> {
  return proxyChangeActivities(priorities.background).removeSandbox(input)
}

const { ensureWorkspace: ensure } = proxyActivities<Activities>({
  startToCloseTimeout: '1m',
  retry: { initialInterval: '500ms', maximumInterval: '5s', maximumAttempts: 3 },
})

/** Creates the workspace repository of an account or organization. */
export function ensureWorkspace(input: OwnerInput): Promise<void> {
  return ensure(input)
}

/** Builds the base snapshot from which new sandboxes of a repository start. */
export function prepareBase(input: BaseInput): Promise<void> {
  return proxyBuildActivities().buildBase(input)
}
