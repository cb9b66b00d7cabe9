import { Socket } from 'node:net'

/**
 * A socket that tells the driver of its error and its end at once, and of those of other connections at the same moment.
 * Node tells of the error first and of the end a little later; what the driver sends over the connection in between it
 * neither repeats nor rejects, and its callers get an empty result, or the rows of later queries.
 */
class DriverSocket extends Socket {
  static #ended: DriverSocket[] = []
  #failure: unknown

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'error') this.#failure ??= args[0]
    else if (event !== 'close') return super.emit(event, ...args)
    else if (DriverSocket.#ended.push(this) === 1) setImmediate(DriverSocket.#tell)
    return true
  }

  /** In one go: what is rejected here is not asked again over a connection whose end is yet to be told. */
  static readonly #tell = (): void => {
    for (const socket of DriverSocket.#ended.splice(0)) socket.#end()
  }

  #end(): void {
    if (this.#failure !== undefined) super.emit('error', this.#failure)
    super.emit('close', this.#failure !== undefined)
  }
}

type Target = { host: string[]; port: number[]; path?: string | false }

// Encrypted connections and several hosts are the driver's own affair.
const isPlain = (url: string): boolean => !/,|[?&]ssl/.test(url)

/**
 * The option by which the driver takes our sockets. A query on a connection whose other end is gone without a word would
 * wait for a quarter of an hour: with `silenceMs` the connection is closed, and the query fails, once nothing was heard
 * for that long.
 */
export const ownSocket = (url: string, silenceMs: number | undefined): object =>
  isPlain(url)
    ? {
        socket: ({ host, port, path }: Target): Socket => {
          const socket = new DriverSocket()
          if (silenceMs !== undefined) socket.setTimeout(silenceMs, () => socket.destroy())
          return path ? socket.connect(path) : socket.connect(port[0] ?? 5432, host[0] ?? 'localhost')
        },
      }
    : {}
