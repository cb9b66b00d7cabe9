import { connect } from 'node:net'
import { handleRequests } from './child-process.ts'

/** Repeats one GET with one header line on keep-alive connections. */
export type GetLoad = { url: string; credential: string; connections: number; milliseconds: number }
export type GetOutcome = { responses: number; rejected: number; milliseconds: number }

// Uses sockets instead of an HTTP client: on two cores, the work of an HTTP client would be half of the measured time.
async function run({ url, credential, connections, milliseconds }: GetLoad): Promise<GetOutcome> {
  const { hostname, port, host, pathname } = new URL(url)
  const request = `GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\n${credential}\r\n\r\n`
  const begin = performance.now()
  const counts = { responses: 0, rejected: 0 }
  const sendInLoop = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(request))
      let received = ''
      socket.setNoDelay(true).setEncoding('latin1').on('error', reject)
      socket.on('data', (text: string) => {
        received += text
        const end = received.indexOf('\r\n\r\n')
        if (end < 0) return
        const length = Number(/content-length: (\d+)/i.exec(received)?.[1])
        if (received.length < end + 4 + length) return
        counts.responses++
        if (!received.startsWith('HTTP/1.1 200')) counts.rejected++
        received = ''
        if (performance.now() - begin < milliseconds) socket.write(request)
        else socket.destroy().once('close', resolve)
      })
    })
  await Promise.all(Array.from({ length: connections }, sendInLoop))
  return { ...counts, milliseconds: performance.now() - begin }
}

handleRequests(run)
