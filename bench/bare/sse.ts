import type { ServerResponse } from 'node:http'
import { handleRequests, serve } from '../processes/child-process.ts'

// Minimal server that sends the same events at the same times as the API, without a log, a database or a model.
const responses = new Set<ServerResponse>()
const url = serve((_, response) => {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
  })
  response.write('id: 0\ndata: {"type":"start","messageId":"bench"}\n\n')
  const heartbeat = setInterval(() => response.write(': hb\n\n'), 10_000)
  responses.add(response)
  response.once('close', () => {
    clearInterval(heartbeat)
    responses.delete(response)
  })
})

/** Writes each message except `url` to all open responses. Returns the URL of the server. */
handleRequests((message: string) => {
  if (message !== 'url') for (const response of responses) response.write(message)
  return url
})
