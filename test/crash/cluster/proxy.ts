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
  /** Ports of the open connections on the side of the server. */
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

const noCounts = (): ProxyCounts => ({ passed: 0, withheld: 0, delayed: 0, single: 0, refused: 0 })

/** Creates the state of a proxy: its mode, its counts and the callers that wait for the end of a stall. */
const createValve = () => {
  let mode: Mode = { kind: 'pass' }
  let counts = noCounts()
  let waiting: (() => void)[] = []
  return {
    mode: (): Mode => mode,
    counts: (): ProxyCounts => counts,
    set: (next: Mode): void => {
      mode = next
      counts = noCounts()
      for (const resume of waiting.splice(0)) resume()
    },
    open: async (bytes: number): Promise<void> => {
      while (mode.kind === 'stall') {
        counts.withheld += bytes
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
  }
}
type Valve = ReturnType<typeof createValve>

const write = async (to: Socket, bytes: Buffer, valve: Valve): Promise<void> => {
  valve.counts().passed += bytes.length
  for (let at = 0; at < bytes.length && !to.destroyed;) {
    const piece = valve.mode().kind === 'bytewise' ? bytes.subarray(at, at + 1) : bytes.subarray(at)
    at += piece.length
    if (valve.mode().kind === 'bytewise') valve.counts().single++
    const full = !to.write(piece)
    if (valve.mode().kind === 'bytewise') await nextTurn()
    else if (full) await Promise.race([once(to, 'drain'), once(to, 'close')]).catch(() => undefined)
  }
}

const maxQueuedChunks = 64

/** Forwards one direction of a connection. Reads ahead, so that a delay does not reduce the throughput. */
const relay = (from: Socket, to: Socket, valve: Valve): void => {
  const chunks: { bytes: Buffer; due: number }[] = []
  let ended = false
  let pumping = false
  const pump = async (): Promise<void> => {
    if (pumping) return
    pumping = true
    for (let head = chunks[0]; head !== undefined && !to.destroyed; head = chunks[0]) {
      const wait = head.due - performance.now()
      if (wait > 0) await pause(wait)
      await valve.open(head.bytes.length)
      await write(to, head.bytes, valve)
      chunks.shift()
      if (chunks.length < maxQueuedChunks) from.resume()
    }
    pumping = false
    if (!ended || to.destroyed) return
    await valve.open(0)
    to.end()
  }
  from.on('data', (bytes: Buffer) => {
    const mode = valve.mode()
    if (mode.kind === 'slow') valve.counts().delayed++
    chunks.push({ bytes, due: performance.now() + (mode.kind === 'slow' ? mode.ms : 0) })
    if (chunks.length >= maxQueuedChunks) from.pause()
    void pump()
  })
  from.once('end', () => {
    ended = true
    void pump()
  })
  from.once('error', () => void valve.open(0).then(() => to.resetAndDestroy()))
}

/** Starts a proxy that forwards each connection to the next host. */
export const startProxy = async (target: { port: number; hosts?: readonly string[] }): Promise<FaultProxy> => {
  const { port, hosts = ['127.0.0.1'] } = target
  let turn = 0
  const valve = createValve()
  const links = new Map<Socket, Socket>()

  const link = (client: Socket): void => {
    if (valve.mode().kind === 'refuse') {
      valve.counts().refused++
      client.on('error', () => {}).resetAndDestroy()
      return
    }
    const host = hosts[turn++ % hosts.length]
    const server = connect({ port, host, allowHalfOpen: true, noDelay: true })
    links.set(client, server)
    relay(client, server, valve)
    relay(server, client, valve)
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
    counts: () => ({ ...valve.counts() }),
    heal: () => valve.set({ kind: 'pass' }),
    cut,
    stall: () => valve.set({ kind: 'stall' }),
    slow: (ms) => valve.set({ kind: 'slow', ms }),
    bytewise: () => valve.set({ kind: 'bytewise' }),
    refuse: () => valve.set({ kind: 'refuse' }),
    close: async () => {
      valve.set({ kind: 'pass' })
      listener.close()
      cut()
      await once(listener, 'close')
    },
  }
}
