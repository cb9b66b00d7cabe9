import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerQuestions } from './aside.ts'

// The same bytes at the same moments, and nothing behind them.
const open = new Set<ServerResponse>()
const server = createServer({ noDelay: true }, (_, response) => {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
  })
  response.write('id: 0\ndata: {"type":"start","messageId":"bench"}\n\n')
  const beat = setInterval(() => response.write(': hb\n\n'), 10_000)
  open.add(response)
  response.once('close', () => {
    clearInterval(beat)
    open.delete(response)
  })
})
const listening = new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

/** `url` answers where it listens; anything else is an event that every open response gets. */
answerQuestions(async (question: string) => {
  await listening
  if (question !== 'url') for (const response of open) response.write(question)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
