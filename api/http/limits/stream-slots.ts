import type { ServerResponse } from 'node:http'
import type { Meters } from './meters.ts'
import { isStreamedBody } from '../answers/live.ts'
import type { StoredResponse, Holder } from '../route.ts'
import type { OverloadGate } from './overload.ts'
import type { createRates } from './rates.ts'

type SlotDeps = { gate: OverloadGate; rates: ReturnType<typeof createRates>; meters: Meters }
type Stream = { serverResponse: ServerResponse; holder: Holder; accountId: string }

/**
 * Returns a function that acquires a stream slot of the process and of the account, and runs a handler. A streamed response
 * holds both slots until it closes.
 */
export function createStreamSlots({ gate, rates, meters }: SlotDeps) {
  /** A separate function, so that its closure retains no other data of the request while the stream is open. */
  const holdUntilClosed = (serverResponse: ServerResponse, release: () => void): void => {
    meters.openStreams.inc()
    serverResponse.once('close', () => {
      meters.openStreams.dec()
      release()
    })
  }
  return async (
    { serverResponse, holder, accountId }: Stream,
    handle: () => Promise<StoredResponse>,
  ): Promise<StoredResponse> => {
    const releaseProcessSlot = gate.openStream(holder)
    let releaseAccountSlot: (() => void) | undefined
    const release = (): void => {
      releaseProcessSlot()
      releaseAccountSlot?.()
    }
    try {
      releaseAccountSlot = rates.openStream(accountId)
      const response = await handle()
      if (!isStreamedBody(response.body) || serverResponse.destroyed) release()
      else holdUntilClosed(serverResponse, release)
      return response
    } catch (error) {
      release()
      throw error
    }
  }
}
