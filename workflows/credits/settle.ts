import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import { briefActivityOptions } from '../runtime/retries.ts'
import type { SettleHoldInput } from './messages.ts'

const { settleHold: settle } = proxyActivities<Activities>({
  ...briefActivityOptions,
  scheduleToCloseTimeout: '24h',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
})

/** Charges for completed work. */
export function settleHold(input: SettleHoldInput): Promise<void> {
  return settle(input)
}
