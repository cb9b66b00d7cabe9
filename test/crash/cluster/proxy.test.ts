import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../world/world.ts'
import { startProxy, type FaultProxy } from './proxy.ts'

let proxy: FaultProxy
let closeEcho: () => Promise<void>
/** Sizes of the chunks that the server received. */
let chunkSizes: number[]

beforeEach(async () => {
  chunkSizes = []
  const echo = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      chunkSizes.push(bytes.length)
      socket.write(bytes)
    })
    socket.on('end', () => socket.end())
  })
  echo.listen(0, '127.0.0.1')
  await once(echo, 'listening')
  proxy = await startProxy({ port: (echo.address() as AddressInfo).port })
  closeEcho = async () => {
    echo.close()
    await once(echo, 'close')
  }
})
afterEach(async () => {
  await proxy.close()
  await closeEcho()
})

const dial = async () => {
  const socket: Socket = connect(proxy.port, '127.0.0.1')
  const received: Buffer[] = []
  let errorCode: string | undefined
  socket.on('data', (bytes: Buffer) => received.push(bytes))
  socket.on('error', (error: NodeJS.ErrnoException) => (errorCode = error.code))
  await once(socket, 'connect')
  return { socket, text: () => Buffer.concat(received).toString('latin1'), errorCode: () => errorCode }
}

const untilReceived = (client: { text(): string }, text: string): Promise<true> =>
  eventually('the received text', async () => (client.text() === text ? true : undefined))

test('bytes are forwarded unchanged in both directions, followed by the end of the stream', async () => {
  const client = await dial()
  const sent = randomBytes(3_000_000).toString('latin1')
  client.socket.end(Buffer.from(sent, 'latin1'))
  await once(client.socket, 'close')
  expect(client.text() === sent).toBe(true)
})

test('a cut resets every connection, and a new connection forwards bytes', async () => {
  const clients = [await dial(), await dial()]
  await eventually('both connections', async () => (proxy.connections().length === 2 ? true : undefined))
  const closed = clients.map(({ socket }) => new Promise((resolve) => socket.once('close', resolve)))
  expect(proxy.cut()).toBe(2)
  await Promise.all(closed)
  expect(clients.map((client) => client.errorCode())).toEqual(['ECONNRESET', 'ECONNRESET'])
  const next = await dial()
  next.socket.write('after')
  await untilReceived(next, 'after')
  next.socket.destroy()
})

test('a stalled proxy accepts connections and bytes and forwards nothing until it is healed', async () => {
  const before = await dial()
  before.socket.write('one ')
  await untilReceived(before, 'one ')
  proxy.stall()
  before.socket.write('two')
  const during = await dial()
  during.socket.write('three')
  await eventually('both withheld messages', async () => (proxy.counts().withheld === 8 ? true : undefined))
  expect([before.text(), during.text()]).toEqual(['one ', ''])
  proxy.heal()
  await untilReceived(before, 'one two')
  await untilReceived(during, 'three')
  before.socket.destroy()
  during.socket.destroy()
})

test('a slow proxy delays both directions and keeps the order', async () => {
  const client = await dial()
  proxy.slow(150)
  const startedAt = performance.now()
  for (const word of ['a', 'b', 'c', 'd']) {
    client.socket.write(word)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await untilReceived(client, 'abcd')
  expect(performance.now() - startedAt).toBeGreaterThan(290)
  expect(proxy.counts().delayed).toBeGreaterThan(1)
  client.socket.destroy()
})

test('a bytewise proxy forwards single bytes', async () => {
  const client = await dial()
  proxy.bytewise()
  client.socket.write('one byte at a time')
  await untilReceived(client, 'one byte at a time')
  expect(proxy.counts().single).toBe(36)
  expect(Math.max(...chunkSizes)).toBeLessThan(18)
  client.socket.destroy()
})

test('a rejecting proxy resets new connections and keeps existing ones', async () => {
  const old = await dial()
  old.socket.write('still ')
  await untilReceived(old, 'still ')
  proxy.refuse()
  const refused = connect(proxy.port, '127.0.0.1').on('error', () => {})
  await new Promise((resolve) => refused.once('close', resolve))
  expect(proxy.counts().refused).toBe(1)
  old.socket.write('here')
  await untilReceived(old, 'still here')
  old.socket.destroy()
})

test('a proxy whose server is unreachable resets the connection', async () => {
  const closed = createServer()
  closed.listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  await once(closed, 'close')
  const unreachable = await startProxy({ port })
  const client = connect(unreachable.port, '127.0.0.1')
  const errorCodes: string[] = []
  client.on('error', (error: NodeJS.ErrnoException) => errorCodes.push(error.code ?? ''))
  await new Promise((resolve) => client.once('close', resolve))
  expect(errorCodes).toEqual(['ECONNRESET'])
  await unreachable.close()
})
