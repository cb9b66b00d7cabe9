import type { UploadLedger, UploadLimits } from '../../domain/staged-files.ts'
import type { Db, Pool } from '../postgres/client.ts'
import { claimUpload } from './claim-upload.ts'

/** Creates the quota ledger of uploads. `holder` is the lock id of this process, whose reservations end when it dies. */
export function createUploadLedger(
  db: Pool,
  { holder, limits }: { holder: number; limits: UploadLimits },
): UploadLedger {
  return {
    claim: (claim) => claimUpload(db, claim, { holder, limits }),
    receive: async (attempt, bytes) => {
      const updated = await db`
      update upload_pieces set received_bytes = ${bytes}, reserved_bytes = 0,
        attempt = null, holder = null, expires_at = null
      where attempt = ${attempt}`
      return updated.count === 1
    },
    release: async (attempt) => {
      await db`
      update upload_pieces set reserved_bytes = 0, attempt = null, holder = null, expires_at = null
      where attempt = ${attempt}`
    },
    finish: (attempt, { etag, bytes }) =>
      db.begin(async (tx) => {
        const [upload] = await tx<{ tokenId: string }[]>`
        update uploads set etag = ${etag}, stored_bytes = ${bytes}
        where token_id = (select token_id from upload_pieces where attempt = ${attempt})
        returning token_id`
        if (upload === undefined) return false
        await tx`delete from upload_pieces where token_id = ${upload.tokenId}`
        return true
      }),
  }
}

/** Deletes uploads that no longer count toward a quota. Their tokens have expired. */
export async function deleteOldUploads(db: Db): Promise<void> {
  await db`delete from uploads where begun_at < now() - interval '25 hours'`
}
