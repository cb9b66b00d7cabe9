import { createHash } from 'node:crypto'
import type { ClaimedUpload, UploadClaim, UploadLedger } from '../../../domain/staged-files.ts'
import type { DiskSpace } from '../../disk-space.ts'
import { toBlobRefused, uploadInProgress } from './refusal.ts'
import type { Upload } from './protocol.ts'

export type ReservationOptions = {
  uploads: UploadLedger
  disk: Pick<DiskSpace, 'room'>
  log: { warn(details: object, message: string): void }
}

type ClaimRequest = Pick<UploadClaim, 'kind' | 'pathname' | 'partsId' | 'part'>
type AcceptedClaim = Exclude<ClaimedUpload, { outcome: 'refused' }>
export type Reservation = Extract<ClaimedUpload, { outcome: 'reserved' }>

/** Reserves the bytes of an upload before they are received, and releases reservations of bytes that do not arrive. */
export function createReservations({ uploads, disk, log }: ReservationOptions) {
  return {
    /** Reserves bytes. Throws `BlobRefusedError` when the token, the account or the disk does not allow it. */
    claim: async (
      { tokenText, accountId, maxBytes, request }: Upload,
      claimRequest: ClaimRequest,
    ): Promise<AcceptedClaim> => {
      const result = await uploads.claim({
        ...claimRequest,
        tokenId: createHash('sha256').update(tokenText).digest('hex'),
        accountId,
        bytes: claimRequest.kind === 'begin' ? 0 : request.length,
        maxBytes,
        room: await disk.room(),
      })
      if (result.outcome === 'refused') throw toBlobRefused(result.reason, { ...result, maxBytes })
      return result
    },

    /** Runs `use` and releases the reservation when it fails. */
    whileReserved: async <T>({ attempt }: Reservation, use: () => Promise<T>): Promise<T> => {
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
    recordPart: async ({ attempt }: Reservation, bytes: number): Promise<void> => {
      if (!(await uploads.receive(attempt, bytes))) throw uploadInProgress()
    },

    /** Records that the file is stored, which consumes its token. */
    finish: async ({ attempt }: Reservation, file: { etag: string; bytes: number }): Promise<void> => {
      if (!(await uploads.finish(attempt, file))) throw uploadInProgress()
    },
  }
}
export type Reservations = ReturnType<typeof createReservations>
