import type { Logger } from 'pino'
import type { HeldAttempt } from '../../db/turns/lost/attempts.ts'
import type { Engine } from '../../engine/client.ts'
import { lockSuffix } from './identity.ts'

/** Temporal hands out a retried activity within milliseconds, unless no worker has a free slot. */
const followMs = 5000

/**
 * Reports retried activities that Temporal hands to the same lost worker again. The connections of a worker that is
 * suspended or cut off stay open for a while, and each of its polls may receive an activity that would then wait for its
 * heartbeat timeout.
 */
export function createRedeliveryReports(
  { engine, log }: { engine: Pick<Engine, 'listHeldActivities' | 'reportLostActivity'>; log: Logger },
  now = (): number => performance.now(),
): {
  /** Follows a reported attempt until its activity has not returned to the lost worker for some seconds. */
  follow(attempt: HeldAttempt): void
  isFollowing(): boolean
  /** Reports the followed activities that the lost worker has received again. */
  check(): Promise<void>
} {
  const followed = new Map<string, HeldAttempt & { until: number }>()
  const follow = (attempt: HeldAttempt): void =>
    void followed.set(`${attempt.runId} ${attempt.activityId}`, { ...attempt, until: now() + followMs })

  const reportAgain = async (attempt: HeldAttempt): Promise<void> => {
    const { runId, activityId, holder } = attempt
    const isLost = (identity: string): boolean => identity.endsWith(lockSuffix(holder))
    const held = await engine.listHeldActivities([runId], isLost)
    if (!held.some((activity) => activity.activityId === activityId)) return
    await engine.reportLostActivity(runId, activityId)
    follow(attempt)
    log.debug({ runId, lost: holder }, 'a lost worker received its activity again')
  }
  return {
    follow,
    isFollowing: () => followed.size > 0,
    check: async () => {
      for (const [key, { until }] of followed) if (until < now()) followed.delete(key)
      await Promise.all([...followed.values()].map(reportAgain))
    },
  }
}
