import { request, type IncomingMessage } from 'node:http'
import { randomUUID } from 'node:crypto'
import type { OpenChat } from './stack.ts'

/** Sends a turn with one new message: see `sendMessages`. */
export async function sendTurn(
  baseUrl: string,
  chat: OpenChat,
  text: string,
  onText: (text: string) => void,
): Promise<void> {
  await sendMessages(baseUrl, chat, [{ id: randomUUID(), role: 'user', content: text }], onText)
}

/**
 * Sends a turn, passes the text of its stream to `onText` as it arrives, and returns the id of its run. It does no other
 * work, because the time of the client is part of the measurement.
 */
export function sendMessages(
  baseUrl: string,
  { account, sessionId, chatId }: OpenChat,
  messages: object[],
  onText: (text: string) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({ chatId, sessionId, messages })
    const headers = {
      'x-api-key': account.key,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const clientRequest = request(`${baseUrl}/api/chat`, { method: 'POST', headers }, (response: IncomingMessage) => {
      let tail = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        if (response.statusCode === 200) onText(piece)
        tail = (tail + piece).slice(-200)
      })
      response.on('end', () => {
        if (tail.endsWith('data: [DONE]\n\n')) resolve(String(response.headers['x-workflow-run-id']))
        else reject(new Error(`the turn was cut: ${response.statusCode} ${tail}`))
      })
      response.on('error', reject)
    })
    clientRequest.on('error', reject)
    clientRequest.end(body)
  })
}
