import type { ServerResponse } from 'node:http'
import postgres from 'postgres'
import { answerQuestions, serve } from '../processes/child-process.ts'

// The least that answers the same row: no routes, no credentials, no limits, no log.
const db = postgres(process.env['DATABASE_URL'] ?? '', { max: 10 })

async function answer(response: ServerResponse, id: string): Promise<void> {
  const [session] = await db`select * from sessions where id = ${id}`
  const body = JSON.stringify({ session })
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

const url = serve((request, response) => {
  answer(response, request.url?.slice(request.url.lastIndexOf('/') + 1) ?? '').catch(() => response.destroy())
})

answerQuestions(() => url)
