import { ApplicationFailure, defaultPayloadConverter, type PayloadConverter } from '@temporalio/workflow'
import { maxPayloadBytes, payloadTooLarge } from '../messages.ts'

/**
 * What workflows hand to the engine: refused where it is handed over when it is too large. The engine would refuse it
 * later, and the workflow task with it, again and again.
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
