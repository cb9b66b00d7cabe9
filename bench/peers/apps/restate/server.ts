import './node-20.ts'
import { createPubsubObject } from '@restatedev/pubsub'
import { createPubsubClient } from '@restatedev/pubsub-client'
import * as restate from '@restatedev/restate-sdk'
import { connect, rpc } from '@restatedev/restate-sdk-clients'
import { sendEvents, serveChat } from '../http.ts'
import { callModel, toMessages, type Message } from '../openai-turn.ts'

// Follows the guide: https://docs.restate.dev/ai/patterns/streaming-responses
const url = process.env['RESTATE_URL'] ?? ''
const name = 'pubsub'
const end = { type: 'end' }
// The default pull interval of the library is one second.
const pubsub = createPubsubClient({ url, name, pullInterval: { milliseconds: 1 } })
const ingress = connect({ url })

const chat = restate.workflow({
  name: 'chat',
  handlers: {
    run: async (ctx: restate.WorkflowContext, message: string): Promise<string> => {
      const messages: Message[] = [{ role: 'user', content: message }]
      for (let step = 0; ; step++) {
        const answer = await ctx.run(`model ${step}`, () =>
          callModel(messages, async (text) => {
            await pubsub.publish(ctx.key, text)
          }),
        )
        if (answer.calls.length === 0) {
          await ctx.run('end', async () => {
            await pubsub.publish(ctx.key, end)
          })
          return answer.text
        }
        messages.push(...toMessages(answer))
      }
    },
  },
})

/** Yields the published chunks until the message `end` arrives. */
async function* readChunks(topic: string, offset: number, signal: AbortSignal): AsyncGenerator<unknown> {
  for await (const message of pubsub.pull({ topic, offset, signal })) {
    if (typeof message === 'object') return
    yield message
  }
}

await restate.serve({
  services: [chat, createPubsubObject(name, {})],
  port: Number(process.env['SERVICE_PORT']),
})

serveChat({
  post: async ({ id, message }, response) => {
    await ingress.workflowClient<typeof chat>({ name: 'chat' }, id).workflowSubmit(message, rpc.sendOpts({}))
    const connection = new AbortController()
    response.once('close', () => connection.abort())
    await sendEvents(response, readChunks(id, 0, connection.signal), 0)
  },
  get: async (id, from, response) => {
    const connection = new AbortController()
    response.once('close', () => connection.abort())
    await sendEvents(response, readChunks(id, from, connection.signal), from)
  },
})
