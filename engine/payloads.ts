import { ApplicationFailure, type DataConverter, type Payload } from '@temporalio/common'
import { maxPayloadBytes, payloadTooLarge } from '../workflows/messages.ts'

/** Encodes payloads of clients and activities: ids, never content. Rejects payloads that are too large before they are sent. */
export const dataConverter: DataConverter = {
  payloadCodecs: [
    {
      encode: async (payloads) => rejectLarge(payloads),
      decode: async (payloads) => payloads,
    },
  ],
}

function rejectLarge(payloads: Payload[]): Payload[] {
  const bytes = Math.max(0, ...payloads.map(({ data }) => data?.length ?? 0))
  if (bytes <= maxPayloadBytes) return payloads
  throw ApplicationFailure.nonRetryable(`a payload of ${bytes} bytes`, payloadTooLarge)
}
