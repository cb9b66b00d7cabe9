import { DBOS } from '@dbos-inc/dbos-sdk'
import { sendEvents, serveChat } from '../http.ts'
import { callModel, toMessages, type Message } from '../openai-turn.ts'

// Follows the guide: https://docs.dbos.dev/ai/streaming
const stream = 'answer'

async function answerTurn(message: string): Promise<string> {
  const messages: Message[] = [{ role: 'user', content: message }]
  for (;;) {
    const answer = await DBOS.runStep(() => callModel(messages, (text) => DBOS.writeStream(stream, text)), {
      name: 'callModel',
    })
    if (answer.calls.length === 0) {
      await DBOS.closeStream(stream)
      return answer.text
    }
    messages.push(...toMessages(answer))
  }
}

const turn = DBOS.registerWorkflow(answerTurn, { name: 'answerTurn' })
DBOS.setConfig({ name: 'chat', systemDatabaseUrl: process.env['DATABASE_URL'], logLevel: 'warn' })
await DBOS.launch()

serveChat({
  post: async ({ id, message }, response) => {
    await DBOS.startWorkflow(turn, { workflowID: id })(message)
    await sendEvents(response, DBOS.readStream(id, stream), 0)
  },
  get: (id, from, response) => sendEvents(response, DBOS.readStream(id, stream, { offset: from }), from),
})
