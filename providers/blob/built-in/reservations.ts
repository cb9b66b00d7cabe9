import { createHash } from 'node:crypto'
import type { ClaimedUpload, UploadClaim, UploadLedger } from '../../../domain/uploads.ts'
import type { DiskSpace } from '../../disk-space.ts'
import { toBlobRefused, storeBusy } from './refusal.ts'
import type { Upload } from './upload.ts'

export type ReservationOptions = {
  uploads: UploadLedger
  disk: Pick<DiskSpace, 'room'>
  log: { warn(details: object, message: string): void }
}

type Wanted = Pick<UploadClaim, 'kind' | 'pathname' | 'partsId' | 'part'>
type Claimed = Exclude<ClaimedUpload, { outcome: 'refused' }>
export type Reserved = Extract<ClaimedUpload, { outcome: 'reserved' }>

/** Nothing is received that was not reserved before, and what does not come is given back. */
export function createReservations({ uploads, disk, log }: ReservationOptions) {
  return {
    /** Throws `BlobRefused` when the token, the account or the disk does not allow it. */
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

    /** Gives the reservation back when `use` fails. */
    whileReserved: async <T>({ attempt }: Reserved, use: () => Promise<T>): Promise<T> => {
      try {
        return await use()
      } catch (error) {
        await uploads
          .release(attempt)
          .catch((err: unknown) => log.warn({ err }, 'the reservation of an upload was not given back; it expires'))
        throw error
      }
    },

    /** The reserved part has come. */
    receive: async ({ attempt }: Reserved, bytes: number): Promise<void> => {
      if (!(await uploads.receive(attempt, bytes))) throw storeBusy()
    },

    /** The file is stored: its token is used up. */
    finish: async ({ attempt }: Reserved, file: { etag: string; bytes: number }): Promise<void> => {
      if (!(await uploads.finish(attempt, file))) throw storeBusy()
    },
  }
}
export type Reservations = ReturnType<typeof createReservations>
