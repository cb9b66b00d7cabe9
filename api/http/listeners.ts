import type { Server as HttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'

export type Listeners = {
  /**
   * Listens on the port at every address and resolves with the port. 0 lets the system choose a port. If an address fails,
   * for example with `EADDRINUSE`, rejects with its error and listens at no address.
   */
  listen(port: number): Promise<number>
  /** Stops accepting connections, and resolves when all accepted connections are closed. */
  close(): Promise<void>
}

type Options = { hosts: readonly [string, ...string[]]; onSkip?: (host: string, code: string) => void }

// A connection beyond the backlog gets no response. A large backlog lets bursts be rejected with a Retry-After instead.
const backlog = 4096
const maxChosenPorts = 20

/**
 * Accepts connections for one HTTP server at several addresses, so that its limits, timeouts and draining apply to all of them.
 * The machine must have the first address. Other addresses that the machine lacks are skipped.
 */
export function createListeners(server: HttpServer, { hosts: [first, ...others], onSkip }: Options): Listeners {
  const listening: Server[] = []

  const close = async (): Promise<void> => {
    await Promise.all(listening.splice(0).map(closeListener))
  }

  const listenAtAll = async (port: number): Promise<number> => {
    try {
      const boundPort = await listenAt(server, first, port)
      listening.push(server)
      for (const host of others) {
        const listener = createForwarder(server)
        try {
          await listenAt(listener, host, boundPort)
          listening.push(listener)
        } catch (error) {
          const code = errorCode(error)
          if (code !== 'EADDRNOTAVAIL' && code !== 'EAFNOSUPPORT') throw error
          onSkip?.(host, code)
        }
      }
      return boundPort
    } catch (error) {
      await close()
      throw error
    }
  }

  return {
    close,
    listen: async (port) => {
      // The port that the system chooses for the first address may be in use at another.
      for (let attempt = 1; ; attempt++) {
        try {
          return await listenAtAll(port)
        } catch (error) {
          if (port !== 0 || errorCode(error) !== 'EADDRINUSE' || attempt === maxChosenPorts) throw error
        }
      }
    },
  }
}

/** Forwards its connections to the HTTP server, with the socket options of the server's own connections. */
function createForwarder(server: HttpServer): Server {
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket) => void server.emit('connection', socket))
}

function listenAt(listener: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    listener.once('error', reject)
    listener.listen({ host, port, backlog }, () => {
      listener.off('error', reject)
      resolve((listener.address() as AddressInfo).port)
    })
  })
}

function closeListener(listener: Server): Promise<void> {
  return new Promise((resolve) => listener.close(() => resolve()))
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
