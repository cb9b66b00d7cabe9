import { Agent, request as sendRequest } from 'node:https'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { encodeJson, readFrames, writeBytes } from './frames.ts'
import { readHost } from '../network/dial.ts'
import type { Call } from './calls.ts'
import { MachineUnreachableError, toError, type RemoteError } from './errors.ts'
import { clientTls, type FleetKey } from './key.ts'

/** Time without data after which a machine is unreachable. During a call, the machine sends a pulse every second. */
const silenceTimeoutMs = 5000

type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

export type CallOptions = { content?: Content | undefined; signal?: AbortSignal | undefined }

/** Calls the machine at an address. Yields the bytes of its response and returns the result. */
export type Exchange = (address: string, call: Call, options?: CallOptions) => AsyncGenerator<Buffer, unknown>

/** Connects to other machines. Connections are kept open between calls. */
export function createFleetClient(key: FleetKey): { exchange: Exchange; close(): void } {
  const agent = new Agent({ keepAlive: true, ...clientTls(key) })

  async function* exchange(address: string, call: Call, { content, signal }: CallOptions = {}) {
    signal?.throwIfAborted()
    const url = new URL(`https://${address}`)
    const request = sendRequest({
      agent,
      host: readHost(url),
      port: url.port,
      method: 'POST',
      path: '/',
      servername: '',
    })
    const abort = (): void => void request.destroy()
    signal?.addEventListener('abort', abort, { once: true })
    const sending = sendCall(request, call, content)
    let response: IncomingMessage | undefined
    try {
      response = await waitForResponse(request)
      return yield* readResult(response)
    } catch (error) {
      signal?.throwIfAborted()
      await sending.rethrow()
      throw error instanceof TransportError ? unreachableError(call, address, error.cause) : error
    } finally {
      signal?.removeEventListener('abort', abort)
      if (!request.writableFinished || response?.complete !== true) request.destroy()
    }
  }

  return { exchange, close: () => agent.destroy() }
}

/** Failure of the connection, not of the call. */
class TransportError extends Error {}

function unreachableError({ machine }: Call, address: string, cause: unknown): MachineUnreachableError {
  return new MachineUnreachableError(`the machine ${machine} of the sandbox cannot be reached at ${address}`, { cause })
}

/** Sends the call and its content. `rethrow` throws the error of reading the content, which the machine does not receive. */
function sendCall(request: ClientRequest, call: Call, content: Content | undefined): { rethrow(): Promise<void> } {
  if (content === undefined) {
    request.end(encodeJson(call))
    return { rethrow: () => Promise.resolve() }
  }
  let failure: { error: unknown } | undefined
  const writeContent = async (): Promise<void> => {
    request.write(encodeJson(call))
    try {
      for await (const chunk of content) if (!(await writeBytes(request, chunk))) return
      request.end()
    } catch (error) {
      failure = { error }
      request.destroy()
    }
  }
  const written = writeContent()
  return {
    rethrow: async () => {
      if (request.destroyed) await written
      if (failure !== undefined) throw failure.error
    },
  }
}

function waitForResponse(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const silence = setTimeout(() => request.destroy(new Error('no response')), silenceTimeoutMs)
    const fail = (cause?: unknown): void => {
      clearTimeout(silence)
      reject(new TransportError('the connection failed', { cause }))
    }
    request.on('error', fail).once('close', fail)
    request.once('response', (response) => {
      clearTimeout(silence)
      resolve(response)
    })
  })
}

async function* readResult(response: IncomingMessage): AsyncGenerator<Buffer, unknown> {
  const frames = readFrames(response as AsyncIterable<Buffer>)
  let outcome: { result?: unknown; fault?: RemoteError } | undefined
  for (;;) {
    const silence = setTimeout(() => response.destroy(new Error('the machine sent no data')), silenceTimeoutMs)
    const next = await frames
      .next()
      .catch((cause: unknown) => {
        throw new TransportError('the connection failed', { cause })
      })
      .finally(() => clearTimeout(silence))
    // The connection is reusable only after the complete response was read.
    if (next.done === true) break
    const frame = next.value
    if (frame.kind === 'bytes') yield frame.bytes
    if (frame.kind === 'json') outcome = frame.value as typeof outcome
  }
  if (outcome === undefined) throw new TransportError('the response ended early')
  if (outcome.fault !== undefined) throw toError(outcome.fault)
  return outcome.result
}
