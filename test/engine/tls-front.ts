import { connect, constants, createSecureServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { SecureContextOptions } from 'node:tls'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

/** The credentials that a Temporal server with TLS requires of its clients. */
export type Requirements = { clientCertificate: string; apiKey: string }

type Options = { certificate: { key: string; cert: string }; temporalAddress: string; requires: Requirements }

const unauthenticated = '16'

/** Starts a proxy that terminates mutual TLS, checks the API key of each call and forwards it to a server without TLS. */
export const startTlsFront = async ({ certificate, temporalAddress, requires }: Options) => {
  const upstream = connect(`http://${temporalAddress}`)
  const sessions = new Set<ServerHttp2Session>()
  let required = requires
  const context = (): SecureContextOptions => ({ ...certificate, ca: required.clientCertificate })
  const server = createSecureServer({ ...context(), requestCert: true, rejectUnauthorized: true })
  const counts = { calls: 0, rejections: 0 }
  server.on('session', (session) => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
    session.on('error', () => {})
  })
  server.on('tlsClientError', () => counts.rejections++)
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    if (headers.authorization !== `Bearer ${required.apiKey}`) {
      counts.rejections++
      stream.respond(
        { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': unauthenticated },
        { endStream: true },
      )
      return
    }
    counts.calls++
    forward(stream, upstream.request({ ...headers, ':scheme': 'http', ':authority': temporalAddress }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    /** Changes the required credentials and closes every connection. */
    require: (next: Requirements): void => {
      required = next
      server.setSecureContext(context())
      for (const session of sessions) session.destroy()
    },
    close: async (): Promise<void> => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const session of sessions) session.destroy()
      upstream.destroy()
      await closed
    },
  }
}

const forward = (stream: ServerHttp2Stream, call: ReturnType<ReturnType<typeof connect>['request']>): void => {
  let trailers = {}
  call.on('response', (headers, flags) => {
    if (stream.destroyed) return
    const endStream = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0
    stream.respond(headers, endStream ? { endStream } : { waitForTrailers: true })
  })
  call.on('trailers', (received) => (trailers = received))
  call.on('error', () => stream.destroy())
  stream.on('wantTrailers', () => stream.sendTrailers(trailers))
  stream.on('close', () => call.close(constants.NGHTTP2_CANCEL))
  stream.pipe(call)
  call.pipe(stream)
}
