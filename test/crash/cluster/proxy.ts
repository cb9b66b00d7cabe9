import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

type Mode =
  | { kind: 'pass' }
  | { kind: 'stall' }
  | { kind: 'refuse' }
  | { kind: 'bytewise' }
  | { kind: 'slow'; ms: number }

/** Counts since the mode was last changed. */
export type ProxyCounts = { passed: number; withheld: number; delayed: number; single: number; refused: number }

/** A TCP proxy to a server that injects faults. It listens on the same port until it is closed. */
export type FaultProxy = {
  port: number
  /** Local ports of the open connections to the server. */
  connections(): number[]
  counts(): ProxyCounts
  /** Ends a fault. Forwards the withheld bytes first. */
  heal(): void
  /** Resets every connection and returns their number. New connections are accepted. */
  cut(): number
  /** Accepts connections and bytes, but forwards neither bytes nor the end of a stream. */
  stall(): void
  /** Delays all bytes by `ms` in each direction. */
  slow(ms: number): void
  /** Forwards one byte at a time. */
  bytewise(): void
  /** Resets each new connection. */
  refuse(): void
  close(): Promise<void>
}

const createCounts = (): ProxyCounts => ({ passed: 0, withheld: 0, delayed: 0, single: 0, refused: 0 })

/** Creates the state of a proxy: its mode, its counts and the callers that wait for the end of a stall. */
const createProxyState = () => {
  let mode: Mode = { kind: 'pass' }
  let counts = createCounts()
  let waiting: (() => void)[] = []
  return {
    mode: (): Mode => mode,
    counts: (): ProxyCounts => counts,
    set: (next: Mode): void => {
      mode = next
      counts = createCounts()
      for (const resume of waiting.splice(0)) resume()
    },
    untilNotStalled: async (bytes: number): Promise<void> => {
      while (mode.kind === 'stall') {
        counts.withheld += bytes
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
  }
}
type ProxyState = ReturnType<typeof createProxyState>

const write = async (to: Socket, bytes: Buffer, state: ProxyState): Promise<void> => {
  state.counts().passed += bytes.length
  for (let offset = 0; offset < bytes.length && !to.destroyed;) {
    const chunk = state.mode().kind === 'bytewise' ? bytes.subarray(offset, offset + 1) : bytes.subarray(offset)
    offset += chunk.length
    if (state.mode().kind === 'bytewise') state.counts().single++
    const isFull = !to.write(chunk)
    if (state.mode().kind === 'bytewise') await nextTurn()
    else if (isFull) await Promise.race([once(to, 'drain'), once(to, 'close')]).catch(() => undefined)
  }
}

const maxQueuedChunks = 64

/** Forwards one direction of a connection. Reads ahead, so that a delay does not reduce the throughput. */
const relay = (from: Socket, to: Socket, state: ProxyState): void => {
  const chunks: { bytes: Buffer; due: number }[] = []
  let hasEnded = false
  let isForwarding = false
  const forwardChunks = async (): Promise<void> => {
    if (isForwarding) return
    isForwarding = true
    for (let head = chunks[0]; head !== undefined && !to.destroyed; head = chunks[0]) {
      const wait = head.due - performance.now()
      if (wait > 0) await pause(wait)
      await state.untilNotStalled(head.bytes.length)
      await write(to, head.bytes, state)
      chunks.shift()
      if (chunks.length < maxQueuedChunks) from.resume()
    }
    isForwarding = false
    if (!hasEnded || to.destroyed) return
    await state.untilNotStalled(0)
    to.end()
  }
  from.on('data', (bytes: Buffer) => {
    const mode = state.mode()
    if (mode.kind === 'slow') state.counts().delayed++
    chunks.push({ bytes, due: performance.now() + (mode.kind === 'slow' ? mode.ms : 0) })
    if (chunks.length >= maxQueuedChunks) from.pause()
    void forwardChunks()
  })
  from.once('end', () => {
    hasEnded = true
    void forwardChunks()
  })
  from.once('error', () => void state.untilNotStalled(0).then(() => to.resetAndDestroy()))
}

/** Starts a proxy that forwards each connection to the next host. */
export const startProxy = async (target: { port: number; hosts?: readonly string[] }): Promise<FaultProxy> => {
  const { port, hosts = ['127.0.0.1'] } = target
  let nextHost = 0
  const state = createProxyState()
  const links = new Map<Socket, Socket>()

  const link = (client: Socket): void => {
    if (state.mode().kind === 'refuse') {
      state.counts().refused++
      client.on('error', () => {}).resetAndDestroy()
      return
    }
    const host = hosts[nextHost++ % hosts.length]
    const server = connect({ port, host, allowHalfOpen: true, noDelay: true })
    links.set(client, server)
    relay(client, server, state)
    relay(server, client, state)
    client.once('close', () => links.delete(client))
  }

  const cut = (): number => {
    const open = [...links]
    for (const [client, server] of open) {
      client.resetAndDestroy()
      server.resetAndDestroy()
    }
    return open.length
  }

  const listener = createServer({ allowHalfOpen: true, noDelay: true }, link)
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    port: (listener.address() as AddressInfo).port,
    connections: () => [...links.values()].map((server) => server.localPort ?? 0).filter((port) => port > 0),
    counts: () => ({ ...state.counts() }),
    heal: () => state.set({ kind: 'pass' }),
    cut,
    stall: () => state.set({ kind: 'stall' }),
    slow: (ms) => state.set({ kind: 'slow', ms }),
    bytewise: () => state.set({ kind: 'bytewise' }),
    refuse: () => state.set({ kind: 'refuse' }),
    close: async () => {
      state.set({ kind: 'pass' })
      listener.close()
      cut()
      await once(listener, 'close')
    },
  }
}
