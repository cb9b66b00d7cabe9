import { contentAgentSweeps } from './content/agent.ts'
import { contentSweeps } from './content/videos.ts'
import { queueSweeps } from './chat/queue.ts'
import { approvalSweeps } from './chat/approvals.ts'
import { creditSweeps } from './credits.ts'
import { jobSweeps } from './jobs.ts'
import type { Sweep } from './runtime/loop.ts'
import { mailSweeps } from './mail.ts'
import { measurementSweeps } from './measurements.ts'
import { musicSweeps } from './music.ts'
import { paymentSweeps } from './payments.ts'
import { replySweeps } from './chat/replies.ts'
import { sandboxSweeps } from './sandboxes.ts'
import { scraperSweeps } from './scrapers.ts'
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
  ...measurementSweeps,
  ...scraperSweeps,
  ...musicSweeps,
  ...contentSweeps,
  ...contentAgentSweeps,
  ...paymentSweeps,
  ...sandboxSweeps,
  ...creditSweeps,
  ...storageSweeps,
  ...stuckWorkSweeps,
]
