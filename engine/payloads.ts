import { ApplicationFailure, type DataConverter, type Payload } from '@temporalio/common'
import { maxPayloadBytes, payloadTooLarge } from '../workflows/messages.ts'

/** Encodes payloads of clients and activities: ids, never content. Refuses payloads that are too large before sending them. */
export const dataConverter: DataConverter = {
  payloadCodecs: [
    {
      encode: async (payloads) => refuseLarge(payloads),
      decode: async (payloads) => payloads,
    },
  ],
}

function refuseLarge(payloads: Payload[]): Payload[] {
  const bytes = Math.max(0, ...payloads.map(({ data }) => data?.length ?? 0))
  if (bytes <= maxPayloadBytes) return payloads
  throw ApplicationFailure.nonRetryable(`a payload of ${bytes} bytes`, payloadTooLarge)
}
