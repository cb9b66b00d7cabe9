import { ApplicationFailure, defaultPayloadConverter, type PayloadConverter } from '@temporalio/workflow'
import { maxPayloadBytes, payloadTooLarge } from '../messages.ts'

/**
 * Converts payloads of workflows and rejects large payloads at the call. Temporal would reject them later, together
 * with the whole workflow task, and retry that task forever.
 */
export const payloadConverter: PayloadConverter = {
  toPayload: (...value) => {
    const payload = defaultPayloadConverter.toPayload(...value)
    const bytes = payload.data?.length ?? 0
    if (bytes <= maxPayloadBytes) return payload
    throw ApplicationFailure.nonRetryable(`a payload of ${bytes} bytes`, payloadTooLarge)
  },
  fromPayload: (...payload) => defaultPayloadConverter.fromPayload(...payload),
}
