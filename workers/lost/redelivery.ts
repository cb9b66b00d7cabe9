import type { Logger } from 'pino'
import type { HeldAttempt } from '../../db/turns/lost/attempts.ts'
import type { Engine } from '../../engine/client.ts'
import { lockSuffix } from './identity.ts'

/**
 * Time for which a retried activity is followed. Temporal dispatches it within milliseconds, unless no worker has a free
 * slot.
 */
const followMs = 5000

/**
 * Reports retried activities that Temporal dispatches to a stalled worker again. The connections of a stalled worker stay
 * open, and each of its polls may receive an activity, which would then wait for its heartbeat timeout.
 */
export function createRedeliveryReports(
  { engine, log }: { engine: Pick<Engine, 'listHeldActivities' | 'reportLostActivity'>; log: Logger },
  now = (): number => performance.now(),
): {
  /** Follows an attempt of a stalled worker until that worker has not received the activity again for some seconds. */
  follow(attempt: HeldAttempt): void
  isFollowing(): boolean
  /** Reports the followed activities that a stalled worker has received again. */
  check(): Promise<void>
} {
  const followed = new Map<string, HeldAttempt & { until: number }>()
  const follow = (attempt: HeldAttempt): void =>
    void followed.set(activityKey(attempt.runId, attempt.activityId), { ...attempt, until: now() + followMs })

  return {
    follow,
    isFollowing: () => followed.size > 0,
    check: async () => {
      for (const [key, { until }] of followed) if (until < now()) followed.delete(key)
      if (followed.size === 0) return
      const attempts = [...followed.values()]
      const suffixes = [...new Set(attempts.map(({ holder }) => lockSuffix(holder)))]
      const isStalled = (identity: string): boolean => suffixes.some((suffix) => identity.endsWith(suffix))
      const runIds = [...new Set(attempts.map(({ runId }) => runId))]
      for (const { workflowId, activityId } of await engine.listHeldActivities(runIds, isStalled)) {
        const attempt = followed.get(activityKey(workflowId, activityId))
        if (attempt === undefined) continue
        await engine.reportLostActivity(workflowId, activityId)
        follow(attempt)
        log.debug({ runId: workflowId, stalled: attempt.holder }, 'a stalled worker received its activity again')
      }
    },
  }
}

function activityKey(runId: string, activityId: string): string {
  return `${runId} ${activityId}`
}
