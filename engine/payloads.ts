import { ApplicationFailure, type DataConverter, type Payload } from '@temporalio/common'
import { maxPayloadBytes, payloadTooLarge } from '../workflows/messages.ts'

/** What clients and activities hand to the engine: ids, never content. Refuses what is too large before it is sent. */
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
