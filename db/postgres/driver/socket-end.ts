import type { Socket } from 'node:net'

const lostSockets: (() => void)[] = []

/**
 * Makes a socket emit `error` and `close` in one tick of the event loop, together with other lost sockets. Node emits
 * `close` later than `error`. The driver neither repeats nor rejects queries that it sends between the two events, so their
 * callers would get an empty result or the rows of later queries.
 */
export function withSimultaneousEnd<S extends Socket>(socket: S): S {
  const emit = socket.emit.bind(socket) as (event: string | symbol, ...args: unknown[]) => boolean
  let failure: unknown
  const emitEnd = (): void => {
    if (failure !== undefined) emit('error', failure)
    emit('close', failure !== undefined)
  }
  const emitLater = (event: string | symbol, ...args: unknown[]): boolean => {
    if (event === 'error') failure ??= args[0]
    else if (event !== 'close') return emit(event, ...args)
    else if (lostSockets.push(emitEnd) === 1) setImmediate(endLostSockets)
    return true
  }
  return Object.assign(socket, { emit: emitLater })
}

/**
 * Ends all lost sockets in one tick of the event loop, so that a query that is rejected here is not sent again on another
 * lost connection.
 */
function endLostSockets(): void {
  for (const emitEnd of lostSockets.splice(0)) emitEnd()
}
