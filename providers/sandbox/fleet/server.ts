import { once } from 'node:events'
import { createServer } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { SandboxError } from '../index.ts'
import { readHost } from '../network/dial.ts'
import type { Call } from './calls.ts'
import { MachineUnreachableError, toRemoteError } from './errors.ts'
import { encodeBytes, encodeJson, pulseFrame, readFrames, writeBytes, type Frame } from './frames.ts'
import { serverTls, type FleetKey } from './key.ts'
import { serveCall, type ServeOptions } from './serve-call.ts'

export type FleetServerOptions = ServeOptions & {
  machine: string
  key: FleetKey
  /** Private address and port, on which only other machines connect. */
  address: string
  log: { warn(details: object, message: string): void }
}

export type FleetServer = {
  /** Refuses new calls, waits up to `graceMs` for running calls, and then aborts them. */
  close(graceMs: number): Promise<void>
}

const pulseIntervalMs = 1000
/** Interval at which a process tries to listen while another process of its machine uses the port. */
const retryIntervalMs = 1000
const idleTimeoutMs = 60_000
const handshakeTimeoutMs = 10_000
/** Minimum interval between log entries about refused connections. */
const reportIntervalMs = 60_000

/**
 * Serves the sandboxes of this machine to other machines of the deployment. The processes of a machine share the address. One
 * of them listens; when it exits, another process listens.
 */
export async function serveSandboxes(options: FleetServerOptions): Promise<FleetServer> {
  const { address, key, log } = options
  const url = new URL(`https://${address}`)
  let running = 0
  let onIdle: (() => void) | undefined
  const server = createServer(
    { ...serverTls(key), keepAliveTimeout: idleTimeoutMs, requestTimeout: 0, handshakeTimeout: handshakeTimeoutMs },
    (request, response) => {
      running++
      void serveRequest(options, request, response).finally(() => {
        running--
        if (running === 0) onIdle?.()
      })
    },
  )
  let reportedAt = Number.NEGATIVE_INFINITY
  server.on('tlsClientError', (err, { remoteAddress }) => {
    if (performance.now() - reportedAt < reportIntervalMs) return
    reportedAt = performance.now()
    log.warn({ err, remoteAddress }, 'refused a connection to the sandboxes of this machine')
  })
  let closed = false
  let timer: NodeJS.Timeout | undefined
  const listen = async (): Promise<void> => {
    server.listen({ host: readHost(url), port: Number(url.port) })
    try {
      await once(server, 'listening')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      timer = setTimeout(listenAgain, retryIntervalMs).unref()
    }
  }
  const listenAgain = (): void => {
    if (closed) return
    listen().catch((err: unknown) => log.warn({ err }, 'cannot serve the sandboxes of this machine'))
  }
  await listen()
  return {
    close: async (graceMs) => {
      closed = true
      clearTimeout(timer)
      if (!server.listening) return
      const ended = new Promise((resolve) => server.close(resolve))
      server.closeIdleConnections()
      if (running > 0)
        await Promise.race([
          new Promise<void>((resolve) => (onIdle = resolve)),
          pause(graceMs, undefined, { ref: false }),
        ])
      server.closeAllConnections()
      await ended
    },
  }
}

async function serveRequest(
  options: FleetServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const abortController = new AbortController()
  response.on('error', () => {}).once('close', () => abortController.abort(new SandboxError('the caller disconnected')))
  // The headers are not flushed, so that a short call needs one packet. The first pulse of a longer call sends them.
  response.writeHead(200, { 'content-type': 'application/octet-stream' })
  const pulse = setInterval(() => response.write(pulseFrame), pulseIntervalMs)
  try {
    const frames = readFrames(request)
    const call = await readCall(frames)
    if (call.machine !== options.machine) throw new MachineUnreachableError(`this is not the machine ${call.machine}`)
    const result = await serveCall(options, call, {
      content: readContent(frames),
      signal: abortController.signal,
      push: (bytes) => {
        for (const frame of encodeBytes(bytes)) response.write(frame)
      },
      write: async (bytes) => {
        if (!(await writeBytes(response, bytes))) throw new Error('the connection is closed')
      },
    })
    response.end(encodeJson({ result }))
  } catch (error) {
    response.end(encodeJson({ fault: toRemoteError(error) }))
  } finally {
    clearInterval(pulse)
  }
}

async function readCall(frames: AsyncGenerator<Frame>): Promise<Call> {
  const first = await frames.next()
  if (first.done === true || first.value.kind !== 'json') throw new SandboxError('the request contains no call')
  return first.value.value as Call
}

async function* readContent(frames: AsyncGenerator<Frame>): AsyncGenerator<Uint8Array> {
  for await (const frame of frames) if (frame.kind === 'bytes') yield frame.bytes
}
