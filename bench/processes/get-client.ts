import { connect } from 'node:net'
import { answerQuestions } from './child-process.ts'

/** Asks one GET with one header line again and again on connections that stay open. */
export type GetLoad = { url: string; credential: string; connections: number; milliseconds: number }
export type GetOutcome = { answers: number; refused: number; milliseconds: number }

// Sockets and not an HTTP client: on two cores the client's own work would be half of what is measured.
async function run({ url, credential, connections, milliseconds }: GetLoad): Promise<GetOutcome> {
  const { hostname, port, host, pathname } = new URL(url)
  const request = `GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\n${credential}\r\n\r\n`
  const begin = performance.now()
  const counts = { answers: 0, refused: 0 }
  const sendInLoop = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(request))
      let heard = ''
      socket.setNoDelay(true).setEncoding('latin1').on('error', reject)
      socket.on('data', (text: string) => {
        heard += text
        const end = heard.indexOf('\r\n\r\n')
        if (end < 0) return
        const length = Number(/content-length: (\d+)/i.exec(heard)?.[1])
        if (heard.length < end + 4 + length) return
        counts.answers++
        if (!heard.startsWith('HTTP/1.1 200')) counts.refused++
        heard = ''
        if (performance.now() - begin < milliseconds) socket.write(request)
        else socket.destroy().once('close', resolve)
      })
    })
  await Promise.all(Array.from({ length: connections }, sendInLoop))
  return { ...counts, milliseconds: performance.now() - begin }
}

answerQuestions(run)
