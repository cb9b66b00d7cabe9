import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { stepCountIs, streamText, tool } from 'ai'
import { createClient } from 'redis'
import { createResumableStreamContext } from 'resumable-stream'
import { z } from 'zod'
import { serveChat } from '../http.ts'

// Follows the guide: https://ai-sdk.dev/docs/ai-sdk-ui/chatbot-resume-streams
const model = createOpenAICompatible({ name: 'custom', baseURL: process.env['MODEL_URL'] ?? '' })('default')
const tools = { none: tool({ description: 'Needs nothing.', inputSchema: z.object({}), execute: () => 'done' }) }
const redis = { url: process.env['REDIS_URL'] }
const publisher = createClient(redis)
const subscriber = createClient(redis)
await Promise.all([publisher.connect(), subscriber.connect()])
const streams = createResumableStreamContext({ waitUntil: null, publisher, subscriber })

serveChat({
  post: async ({ id, message }, response) => {
    streamText({ model, tools, prompt: message, stopWhen: stepCountIs(100) }).pipeUIMessageStreamToResponse(response, {
      consumeSseStream: async ({ stream }) => {
        await streams.createNewResumableStream(id, () => stream)
      },
    })
  },
  get: async (id, from, response) => {
    const stream = await streams.resumeExistingStream(id, from)
    if (!stream) {
      response.writeHead(204).end()
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    // The library declares a browser stream, whose type has no async iterator. Node's stream has one.
    for await (const piece of stream as unknown as AsyncIterable<string>) response.write(piece)
    response.end()
  },
})
