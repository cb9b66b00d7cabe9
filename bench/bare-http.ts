import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import postgres from 'postgres'
import { answerQuestions } from './aside.ts'

// The least that answers the same row: no routes, no credentials, no limits, no log.
const db = postgres(process.env['DATABASE_URL'] ?? '', { max: 10 })

const answer = async (response: ServerResponse, id: string): Promise<void> => {
  const [session] = await db`select * from sessions where id = ${id}`
  const body = JSON.stringify({ session })
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

const server = createServer({ noDelay: true }, (request, response) => {
  answer(response, request.url?.slice(request.url.lastIndexOf('/') + 1) ?? '').catch(() => response.destroy())
})
const listening = new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

answerQuestions(async () => {
  await listening
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
