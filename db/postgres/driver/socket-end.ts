import type { Socket } from 'node:net'

const ended: (() => void)[] = []

/**
 * A socket that tells the driver of its error and its end at once, and of those of other connections at the same moment.
 * Node tells of the error first and of the end a little later; what the driver sends over the connection in between it
 * neither repeats nor rejects, and its callers get an empty result, or the rows of later queries.
 */
export function endingAtOnce<S extends Socket>(socket: S): S {
  const emit = socket.emit.bind(socket) as (event: string | symbol, ...args: unknown[]) => boolean
  let failure: unknown
  const tell = (): void => {
    if (failure !== undefined) emit('error', failure)
    emit('close', failure !== undefined)
  }
  const emitLater = (event: string | symbol, ...args: unknown[]): boolean => {
    if (event === 'error') failure ??= args[0]
    else if (event !== 'close') return emit(event, ...args)
    else if (ended.push(tell) === 1) setImmediate(endPromptly)
    return true
  }
  return Object.assign(socket, { emit: emitLater })
}

/** In one go: what is rejected here is not asked again over a connection whose end is yet to be told. */
function endPromptly(): void {
  for (const tell of ended.splice(0)) tell()
}
