import type { ServerResponse } from 'node:http'
import { handleRequests, serve } from '../processes/child-process.ts'
import { openDatabase } from './open-database.ts'

// Minimal server that sends a stored log: Postgres builds the text page by page, and the server writes each page as it
// arrives. It has no credentials, no cursor and no small first page, and ignores frames that are appended later.
const db = openDatabase(process.env['DATABASE_URL'] ?? '', { max: 2 })
const framesPerPage = 2000

function readPage(runId: string, from: number) {
  return db<{ text: string | null }[]>`
  select string_agg('id: ' || seq || ${'\ndata: '} || body || ${'\n\n'}, '' order by seq) as text from stream_chunk
  where run_id = ${runId} and seq >= ${from} and seq < ${from + framesPerPage}`.execute()
}

async function sendLog(response: ServerResponse, runId: string): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  let next = readPage(runId, 0)
  for (let from = framesPerPage; ; from += framesPerPage) {
    const [page] = await next
    if (!page?.text) break
    next = readPage(runId, from)
    response.write(page.text)
  }
  response.end()
}

const url = serve((request, response) => {
  sendLog(response, request.url?.slice(1) ?? '').catch(() => response.destroy())
})

handleRequests(() => url)
