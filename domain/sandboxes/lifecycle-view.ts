import { z } from 'zod'
import type { SessionRow } from '../sessions/sessions.ts'

const time = z.number().nullable()

export const lifecycleSchema = z.object({
  serverTime: z.number(),
  state: z.string().nullable(),
  lastActivityAt: time,
  hibernateAfter: time,
  sandboxExpiresAt: time,
})

type LifecycleFields = Pick<SessionRow, 'lifecycleState' | 'lastActivityAt' | 'hibernateAfter' | 'sandboxExpiresAt'>

/** Builds the lifecycle response of the sandbox routes. Times are in epoch milliseconds. */
export function toLifecycleResponse(session: LifecycleFields): z.output<typeof lifecycleSchema> {
  return {
    serverTime: Date.now(),
    state: session.lifecycleState,
    lastActivityAt: toMilliseconds(session.lastActivityAt),
    hibernateAfter: toMilliseconds(session.hibernateAfter),
    sandboxExpiresAt: toMilliseconds(session.sandboxExpiresAt),
  }
}

/** True if POST /api/sandbox can start from stored files. */
export function hasSnapshot(session: Pick<SessionRow, 'snapshotUrl' | 'sandboxState'>, active: boolean): boolean {
  return session.snapshotUrl !== null || (!active && session.sandboxState !== null)
}

function toMilliseconds(date: Date | null): number | null {
  return date?.getTime() ?? null
}
