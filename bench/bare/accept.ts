import { json } from 'node:stream/consumers'
import { handleRequests, serve } from '../processes/child-process.ts'
import type { OpenChat } from '../stack/stack.ts'
import { endTurnRows, insertTurnRows } from './turn-rows.ts'
import { openDatabase } from './open-database.ts'

// Minimal server that accepts a turn and streams its first frame, without authentication.
const db = openDatabase(process.env['DATABASE_URL'] ?? '', { max: 10 })
const account = { id: process.env['ACCOUNT_ID'] ?? '', key: '' }

type TurnRequest = Omit<OpenChat, 'account'> & { messages: { content: string }[] }

const url = serve((request, response) => {
  const accept = async (): Promise<void> => {
    const turnRequest = (await json(request)) as TurnRequest
    const chat = { ...turnRequest, account }
    const runId = await insertTurnRows(db, chat, turnRequest.messages[0]?.content ?? '')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('id: 0\ndata: {"type":"start"}\n\n')
    await endTurnRows(db, chat, runId)
    response.end('data: [DONE]\n\n')
  }
  accept().catch(() => response.destroy())
})

handleRequests(() => url)
