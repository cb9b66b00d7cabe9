import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBubblewrapSandboxes } from '../../../../providers/sandbox/bubblewrap/bubblewrap.ts'
import type { ExecResult, Sandbox, SandboxPort } from '../../../../providers/sandbox/index.ts'
import { createJustBashSandboxes } from '../../../../providers/sandbox/just-bash.ts'
import type { NetworkAccess } from '../../../../providers/sandbox/network/access.ts'
import type { Internet } from '../../../../providers/sandbox/network/dial.ts'
import type { NetworkOptions } from '../../../../providers/sandbox/network/open.ts'
import { gitIdentity, limits } from '../contract.ts'

export const runSecret = 'sk_a-key-that-no-sandbox-may-see'

export type RecordedRequest = {
  method: string
  url: string
  headers: IncomingHttpHeaders
  rawHeaders: string[]
  body: string
}

/** A server on the host and its recorded requests. */
export type Recorder = { port: number; origin: string; requests: RecordedRequest[]; close(): Promise<void> }

const listen = async (server: Server, address: string, port = 0): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(port, address, resolve))
  return (server.address() as AddressInfo).port
}

export const startRecorder = async (
  respond: RequestListener = (_, response) => void response.end('hello\n'),
  options: { address?: string; port?: number } = {},
): Promise<Recorder> => {
  const requests: RecordedRequest[] = []
  const server = createServer((request, response) => {
    const { method = '', url = '', headers, rawHeaders } = request
    const recorded = { method, url, headers, rawHeaders, body: '' }
    requests.push(recorded)
    request.setEncoding('utf8').on('data', (text: string) => (recorded.body += text))
    request.on('end', () => respond(request, response))
  })
  const { address = '127.0.0.1' } = options
  const port = await listen(server, address, options.port)
  return {
    port,
    origin: `http://${address}:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Creates an internet in which each name resolves to one address and only this port is open. */
export const createInternet = (names: Record<string, string>, port: number): Internet => ({
  resolve: (host) =>
    names[host] === undefined ? Promise.reject(new Error('unknown')) : Promise.resolve([names[host]]),
  allows: (address, requestedPort) => Object.values(names).includes(address) && requestedPort === port,
})

const findHeaders = (path: string): Record<string, string> | undefined => {
  if (path.startsWith('/closed')) return undefined
  if (!path.startsWith('/git/')) return { 'x-api-key': runSecret }
  return { authorization: `Basic ${Buffer.from(`run:${runSecret}`).toString('base64')}` }
}

/** Returns access to a platform at `address`, served by `server`. The proxy adds the key of the run, for git as a password. */
export const createPlatformAccess = (address: string, server: Recorder): NetworkAccess => ({
  services: [
    {
      address,
      ...(address !== server.origin && { dial: server.origin }),
      headers: (path) => Promise.resolve(findHeaders(path)),
    },
  ],
})

/** A driver in a separate folder with one sandbox. */
export type NetworkFixture = {
  root: string
  port: SandboxPort
  sandbox: Sandbox
  run(command: string, network?: NetworkAccess, env?: Record<string, string>): Promise<ExecResult>
  close(): Promise<void>
}

export const openNetworkFixture = async (
  driver: 'bubblewrap' | 'just-bash',
  network: NetworkOptions,
): Promise<NetworkFixture> => {
  const root = await mkdtemp(join(tmpdir(), 'backline-network-'))
  const port = await (driver === 'bubblewrap' ? createBubblewrapSandboxes : createJustBashSandboxes)({ root, network })
  const sandbox = await port.create({ name: 'bench', timeoutMs: 600_000, gitIdentity })
  return {
    root,
    port,
    sandbox,
    run: (command, access, env) =>
      sandbox.exec(command, { ...limits, ...(access && { network: access }), ...(env && { env }) }),
    close: async () => {
      await sandbox.destroy()
      await rm(root, { recursive: true, force: true })
    },
  }
}
