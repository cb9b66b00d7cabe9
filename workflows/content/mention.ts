import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import { briefActivityOptions } from '../runtime/retries.ts'

const { acceptMention } = proxyActivities<Activities>({
  ...briefActivityOptions,
  startToCloseTimeout: '30s',
  retry: { initialInterval: '200ms', maximumInterval: '30s' },
})

/** Starts the videos that a mention requests, or replies with the reason for the refusal. */
export async function answerMention({ eventId }: { eventId: string }): Promise<void> {
  await acceptMention({ eventId })
}
