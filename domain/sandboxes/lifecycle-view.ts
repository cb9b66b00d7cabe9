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

type Shown = Pick<SessionRow, 'lifecycleState' | 'lastActivityAt' | 'hibernateAfter' | 'sandboxExpiresAt'>

/** The lifecycle in responses of the sandbox routes; times in epoch milliseconds. */
export function toLifecycleResponse(session: Shown): z.output<typeof lifecycleSchema> {
  return {
    serverTime: Date.now(),
    state: session.lifecycleState,
    lastActivityAt: milliseconds(session.lastActivityAt),
    hibernateAfter: milliseconds(session.hibernateAfter),
    sandboxExpiresAt: milliseconds(session.sandboxExpiresAt),
  }
}

/** True if POST /api/sandbox can start from stored files. */
export function hasSnapshot(session: Pick<SessionRow, 'snapshotUrl' | 'sandboxState'>, active: boolean): boolean {
  return session.snapshotUrl !== null || (!active && session.sandboxState !== null)
}

function milliseconds(at: Date | null): number | null {
  return at?.getTime() ?? null
}
