import type { ServerResponse } from 'node:http'
import { answerQuestions, serve } from '../processes/child-process.ts'

// Sends the same bytes at the same times, without a log, a database or a model.
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

/** The question `url` returns the URL of the server; any other question is an event that is sent to every open response. */
answerQuestions((question: string) => {
  if (question !== 'url') for (const response of open) response.write(question)
  return url
})
