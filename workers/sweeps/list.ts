import { contentAgentSweeps } from './content/agent.ts'
import { queueSweeps } from './chat/queue.ts'
import { approvalSweeps } from './chat/approvals.ts'
import { creditSweeps } from './credits.ts'
import { jobSweeps } from './jobs/runs.ts'
import { leftBehindSweeps } from './jobs/left-behind.ts'
import type { Sweep } from './runtime/loop.ts'
import { mailSweeps } from './mail.ts'
import { musicSweeps } from './music.ts'
import { paymentSweeps } from './payments.ts'
import { repositorySweeps } from './repositories.ts'
import { replySweeps } from './chat/replies.ts'
import { sandboxSweeps } from './sandboxes.ts'
import { storageSweeps } from './storage.ts'
import { stuckWorkSweeps } from './stuck-work.ts'
import { turnSweeps } from './chat/turns.ts'

/** The sweeps of every capability. */
export const sweeps: Sweep[] = [
  ...turnSweeps,
  ...queueSweeps,
  ...approvalSweeps,
  ...jobSweeps,
  ...mailSweeps,
  ...replySweeps,
  ...leftBehindSweeps,
  ...musicSweeps,
  ...contentAgentSweeps,
  ...paymentSweeps,
  ...sandboxSweeps,
  ...repositorySweeps,
  ...creditSweeps,
  ...storageSweeps,
  ...stuckWorkSweeps,
]

/** Names of the sweeps that one worker runs for the fleet. */
export const electedSweeps = sweeps.filter(({ everywhere }) => everywhere !== true).map(({ name }) => name)
