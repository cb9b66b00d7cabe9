import type { ServerResponse } from 'node:http'
import { answerQuestions, serve } from '../processes/child-process.ts'

// The same bytes at the same moments, and nothing behind them.
const open = new Set<ServerResponse>()
const url = serve((_, response) => {
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

/** A question for `url` returns its address; anything else is an event that every open response gets. */
answerQuestions((question: string) => {
  if (question !== 'url') for (const response of open) response.write(question)
  return url
})
