import { createUIMessageStreamResponse, type UIMessageChunk } from 'ai'
import { defineEventHandler } from 'nitro/h3'
import { start } from 'workflow/api'
import { answerTurn } from '../../workflows/chat.ts'

export default defineEventHandler(async ({ req }) => {
  const { message } = (await req.json()) as { message: string }
  const run = await start(answerTurn, [message])
  return createUIMessageStreamResponse({
    stream: run.getReadable<UIMessageChunk>(),
    headers: { 'x-workflow-run-id': run.runId },
  })
})
