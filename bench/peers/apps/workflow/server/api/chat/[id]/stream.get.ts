import { createUIMessageStreamResponse, type UIMessageChunk } from 'ai'
import { defineEventHandler, getQuery, getRouterParam } from 'nitro/h3'
import { getRun } from 'workflow/api'

export default defineEventHandler((event) => {
  const { startIndex } = getQuery(event) as { startIndex?: string }
  const run = getRun(getRouterParam(event, 'id') ?? '')
  return createUIMessageStreamResponse({
    stream: run.getReadable<UIMessageChunk>({ startIndex: Number(startIndex ?? 0) }),
  })
})
