import { connect, type Socket } from 'node:net'
import { handleRequests } from './child-process.ts'

/** `open` opens one event stream per path and keeps it open. `bytes` returns the received bytes. `close` closes all streams. */
export type HoldCommand = { open: { baseUrl: string; key: string; paths: string[] } } | 'bytes' | 'close'

const sockets = new Set<Socket>()
let bytes = 0

function openStream(baseUrl: string, key: string, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(baseUrl)
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nx-api-key: ${key}\r\n\r\n`),
    )
    sockets.add(socket)
    socket.once('data', (data: Buffer) => {
      const head = data.toString('latin1')
      if (head.startsWith('HTTP/1.1 200')) resolve()
      else reject(new Error(`the stream was rejected: ${head}`))
    })
    socket.on('data', (data: Buffer) => (bytes += data.length))
    socket.once('error', reject)
  })
}

handleRequests(async (command: HoldCommand) => {
  if (command === 'bytes') return bytes
  if (command === 'close') {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    return 0
  }
  const { baseUrl, key, paths } = command.open
  // Opens 50 streams at a time: the measurement does not include the time to open them.
  for (let index = 0; index < paths.length; index += 50)
    await Promise.all(paths.slice(index, index + 50).map((path) => openStream(baseUrl, key, path)))
  return sockets.size
})
