import type { Socket } from 'node:net'

const ended: (() => void)[] = []

/**
 * Makes a socket emit its error and its end together, and at the same moment as those of other connections. Node emits
 * the end a little after the error. Queries that the driver sends in between are neither repeated nor rejected, and
 * their callers get an empty result or the rows of later queries.
 */
export function endingAtOnce<S extends Socket>(socket: S): S {
  const emit = socket.emit.bind(socket) as (event: string | symbol, ...args: unknown[]) => boolean
  let failure: unknown
  const emitEnd = (): void => {
    if (failure !== undefined) emit('error', failure)
    emit('close', failure !== undefined)
  }
  const emitLater = (event: string | symbol, ...args: unknown[]): boolean => {
    if (event === 'error') failure ??= args[0]
    else if (event !== 'close') return emit(event, ...args)
    else if (ended.push(emitEnd) === 1) setImmediate(endPromptly)
    return true
  }
  return Object.assign(socket, { emit: emitLater })
}

/**
 * Ends all lost sockets in one turn, so that a query that is rejected here is not sent again on a connection whose end
 * is still to be emitted.
 */
function endPromptly(): void {
  for (const emitEnd of ended.splice(0)) emitEnd()
}
