import { z } from 'zod'
import { planSchema, type Plan } from './credits/plans.ts'

/** Bytes of finished media that an account may store, by its plan; null for no limit. */
export type MediaQuotas = Readonly<Record<Plan, number | null>>

/** Reserves bytes of media before they are written. An attempt is one write of one object. */
export type MediaLedger = {
  /**
   * Reserves more bytes for an attempt. Without `accountId` no quota applies. `room`: free bytes of the disk for all
   * reservations; undefined if the objects are stored elsewhere.
   */
  reserve(request: {
    attempt: string
    accountId: string | undefined
    bytes: number
    room: number | undefined
  }): Promise<'reserved' | 'quota' | 'disk'>
  /** Replaces the reservation of an attempt, and a previous object of the key, with the stored object. */
  store(attempt: string, object: { key: string; accountId: string | undefined; bytes: number }): Promise<void>
  release(attempt: string): Promise<void>
  /** Records that an object was deleted, and frees its bytes. */
  remove(key: string): Promise<void>
  /** Releases the reservations of processes that have ended. */
  expire(): Promise<void>
  /** Returns the keys of stored objects that no account owns anymore. */
  listUnowned(limit: number): Promise<string[]>
}

/** `quota_bytes` is null if the plan has no limit. */
export const mediaUsageSchema = z.object({
  account_id: z.guid(),
  used_bytes: z.int().meta({ description: 'Bytes of finished media, including media that is being stored.' }),
  quota_bytes: z.int().nullable().meta({ description: 'Bytes that the plan allows; null for no limit.' }),
  plan: planSchema,
})

export const quotaFullText =
  'The media storage of the account is full: delete tracks or videos, or choose a larger plan.'
