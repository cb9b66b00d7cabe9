import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../../../config.ts'
import { ApiError } from '../errors.ts'
import type { RequestHeaders } from '../answers/headers.ts'
import type { Meters } from '../limits/meters.ts'
import type { RequestSlot } from '../limits/overload.ts'
import { watchStalledReaders } from '../answers/stalled-readers.ts'
import { createTransfers } from '../limits/transfers.ts'
import { createTakeBody, hasNoBody, type TakeBody } from './reader.ts'
import { receiveBody } from './whole.ts'

type Exchange = { req: IncomingMessage; res: ServerResponse }

/** Applies the time limits of request bodies and of reading responses, independent of their readers. */
export function createIntake<E extends Exchange>(
  config: Config,
  meters: Meters,
  fail: (exchange: E, error: ApiError) => void,
) {
  const transfers = createTransfers({
    timeoutMs: config.BODY_TIMEOUT_SECONDS * 1000,
    minBytesPerSecond: config.BODY_MIN_BYTES_PER_SECOND,
  })
  const stuck = watchStalledReaders(config.STREAM_STALL_SECONDS * 1000, () => meters.stuckReaders.inc())

  /** The reader of the body detects the failure by its early end. */
  const cutOff = (exchange: E): void => {
    const { req, res } = exchange
    meters.slowBodies.inc()
    if (res.headersSent) return void req.destroy()
    res.once('close', () => req.destroy())
    fail(exchange, late())
  }

  const begin = (exchange: E, place: RequestSlot | undefined, kind: 'whole' | 'streamed'): void => {
    const { req } = exchange
    place?.receive(req.complete)
    if (!req.complete) transfers.watch(req, kind, () => cutOff(exchange))
  }

  /** Discards the rest of a body after the response, within a time limit, so that the connection can be reused. */
  const readAway = ({ req, res }: E): void => {
    if (req.complete || hasNoBody(req.headers as RequestHeaders)) return
    const bound = (): void => transfers.watch(req, 'whole', () => req.destroy())
    if (res.writableEnded) bound()
    else res.once('finish', bound)
  }

  const watchReader = ({ res }: E): void => {
    if (res.closed || (res.writableEnded && res.writableLength === 0)) return
    stuck.add(res)
    res.once('close', () => stuck.remove(res))
  }

  return {
    /** Reader of a request's body. A body in memory counts towards the place's memory. */
    reader: (exchange: E, place: RequestSlot | undefined, mediaType: string): TakeBody =>
      createTakeBody(exchange.req, mediaType, async (limit) => {
        begin(exchange, place, 'whole')
        const bytes = await receiveBody(exchange.req, limit, (count) => place?.hold(count))
        place?.received()
        return bytes
      }),
    /** For a body that the handler streams. */
    stream: (exchange: E, place: RequestSlot | undefined): void => begin(exchange, place, 'streamed'),
    /** Call when the response has been written. */
    answered: (exchange: E): void => {
      readAway(exchange)
      watchReader(exchange)
    },
  }
}

function late(): ApiError {
  return new ApiError('request_timeout', 'Request body was not received in time', { headers: { connection: 'close' } })
}
