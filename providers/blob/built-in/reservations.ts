import { createHash } from 'node:crypto'
import type { ClaimedUpload, UploadClaim, UploadLedger } from '../../../domain/staged-files.ts'
import type { DiskSpace } from '../../disk-space.ts'
import { toBlobRefused, storeBusy } from './refusal.ts'
import type { Upload } from './protocol.ts'

export type ReservationOptions = {
  uploads: UploadLedger
  disk: Pick<DiskSpace, 'room'>
  log: { warn(details: object, message: string): void }
}

type Wanted = Pick<UploadClaim, 'kind' | 'pathname' | 'partsId' | 'part'>
type Claimed = Exclude<ClaimedUpload, { outcome: 'refused' }>
export type Reserved = Extract<ClaimedUpload, { outcome: 'reserved' }>

/** Reserves the bytes of an upload before they are received, and releases reservations of bytes that do not arrive. */
export function createReservations({ uploads, disk, log }: ReservationOptions) {
  return {
    /** Reserves bytes. Throws `BlobRefusedError` when the token, the account or the disk does not allow it. */
    claim: async ({ tokenText, accountId, maxBytes, request }: Upload, wanted: Wanted): Promise<Claimed> => {
      const claimed = await uploads.claim({
        ...wanted,
        tokenId: createHash('sha256').update(tokenText).digest('hex'),
        accountId,
        bytes: wanted.kind === 'begin' ? 0 : request.length,
        maxBytes,
        room: await disk.room(),
      })
      if (claimed.outcome === 'refused') throw toBlobRefused(claimed.reason, { ...claimed, maxBytes })
      return claimed
    },

    /** Runs `use` and releases the reservation when it fails. */
    whileReserved: async <T>({ attempt }: Reserved, use: () => Promise<T>): Promise<T> => {
      try {
        return await use()
      } catch (error) {
        await uploads
          .release(attempt)
          .catch((err: unknown) => log.warn({ err }, 'failed to release the reservation of an upload; it expires'))
        throw error
      }
    },

    /** Records that the reserved part has arrived. */
    receive: async ({ attempt }: Reserved, bytes: number): Promise<void> => {
      if (!(await uploads.receive(attempt, bytes))) throw storeBusy()
    },

    /** Records that the file is stored, which consumes its token. */
    finish: async ({ attempt }: Reserved, file: { etag: string; bytes: number }): Promise<void> => {
      if (!(await uploads.finish(attempt, file))) throw storeBusy()
    },
  }
}
export type Reservations = ReturnType<typeof createReservations>
