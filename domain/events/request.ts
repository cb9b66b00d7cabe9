import { z } from 'zod'
import { uuid, successOf } from '../fields/fields.ts'
import { eventDates, liveEventSchema } from './live-events.ts'

export const eventsRequest = z.object({ artist_id: uuid, date: z.enum(eventDates).default('upcoming') })

export const eventsResponse = successOf({ events: z.array(liveEventSchema) })

/** Returns the reference of the hold and its debit, which is also the key of the provider's run. */
export function eventsReference(id: string): string {
  return `events:${id}`
}

export const eventsHoldLifetimeMs = 5 * 60 * 1000

/** Maximum time limit of a provider request that a deployment can set. */
export const eventsTimeoutMs = 60 * 1000

/** `Retry-After` in seconds if the provider has no free slot. */
export const eventsRetrySeconds = 30
