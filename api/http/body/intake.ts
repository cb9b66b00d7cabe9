import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../../../config.ts'
import { ApiError } from '../errors.ts'
import type { RequestHeaders } from '../answers/headers.ts'
import type { Meters } from '../limits/meters.ts'
import type { RequestSlot } from '../limits/overload.ts'
import { watchStalledReaders } from '../answers/stalled-readers.ts'
import { createTransfers } from '../limits/transfers.ts'
import { createReadBody, hasNoBody, type ReadBody } from './reader.ts'
import { receiveBody } from './buffer.ts'

type Exchange = { req: IncomingMessage; res: ServerResponse }

/** Enforces the time limits of clients that send bodies or read responses, independently of the handlers. */
export function createIntake<E extends Exchange>(
  config: Config,
  meters: Meters,
  fail: (exchange: E, error: ApiError) => void,
) {
  const transfers = createTransfers({
    timeoutMs: config.BODY_TIMEOUT_SECONDS * 1000,
    minBytesPerSecond: config.BODY_MIN_BYTES_PER_SECOND,
  })
  const stalledReaders = watchStalledReaders(config.STREAM_STALL_SECONDS * 1000, () => meters.stuckReaders.inc())

  /** Rejects a body that arrives too slowly. The reader of the body then fails, because the body is incomplete. */
  const rejectSlowBody = (exchange: E): void => {
    const { req, res } = exchange
    meters.slowBodies.inc()
    if (res.headersSent) return void req.destroy()
    res.once('close', () => req.destroy())
    fail(exchange, requestTimeout())
  }

  const begin = (exchange: E, slot: RequestSlot | undefined, kind: 'buffered' | 'streamed'): void => {
    const { req } = exchange
    slot?.beginReceiving(req.complete)
    if (!req.complete) transfers.watch(req, kind, () => rejectSlowBody(exchange))
  }

  /** Discards the rest of a body after the response, within a time limit, so that the connection can be reused. */
  const discardRest = ({ req, res }: E): void => {
    if (req.complete || hasNoBody(req.headers as RequestHeaders)) return
    const watchRest = (): void => transfers.watch(req, 'buffered', () => req.destroy())
    if (res.writableEnded) watchRest()
    else res.once('finish', watchRest)
  }

  const watchReader = ({ res }: E): void => {
    if (res.closed || (res.writableEnded && res.writableLength === 0)) return
    stalledReaders.add(res)
    res.once('close', () => stalledReaders.remove(res))
  }

  return {
    /** Returns the reader of a request's body. A body in memory counts towards the memory of the slot. */
    reader: (exchange: E, slot: RequestSlot | undefined, mediaType: string): ReadBody =>
      createReadBody(exchange.req, mediaType, async (limit) => {
        begin(exchange, slot, 'buffered')
        const bytes = await receiveBody(exchange.req, limit, (count) => slot?.reserveMemory(count))
        slot?.endReceiving()
        return bytes
      }),
    /** Starts the time limit of a body that the handler reads. */
    stream: (exchange: E, slot: RequestSlot | undefined): void => begin(exchange, slot, 'streamed'),
    /** Call this after the response was written. */
    onResponseWritten: (exchange: E): void => {
      discardRest(exchange)
      watchReader(exchange)
    },
  }
}

function requestTimeout(): ApiError {
  return new ApiError('request_timeout', 'Request body was not received in time', { headers: { connection: 'close' } })
}
