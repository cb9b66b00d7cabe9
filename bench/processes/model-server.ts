import type { IncomingMessage, ServerResponse } from 'node:http'
import { handleRequests, serve } from './child-process.ts'
import { clockMicroseconds, createStampedToken, type Plan } from '../stack/plan.ts'

export type ModelRequest = { listCalls: string } | { url: true }

type Message = { role: string; content?: unknown }

/** Formats one chunk of the response with this id as an event. */
function formatChunk(id: string, delta: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 1, model: 'default', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
}

const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }

function formatEnd(id: string, finish: string): string {
  return `${formatChunk(id, {}, finish)}data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 1, model: 'default', choices: [], usage })}\n\ndata: [DONE]\n\n`
}

function joinText(content: unknown): string {
  return typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part: { text?: string }) => part.text ?? '').join('')
      : ''
}

function findPlan(messages: Message[]): { plan: Plan; step: number } {
  const index = messages.findLastIndex(({ role }) => role === 'user')
  const plan = JSON.parse(joinText(messages[index]?.content)) as Plan
  return { plan, step: messages.slice(index).filter(({ role }) => role === 'assistant').length }
}

type Stream = {
  response: ServerResponse
  id: string
  /** Event text before and after each token. It is built once, so that the fake model can send 20,000 tokens per second. */
  around: string[]
  plan: Plan
  sent: number
  due: number
  intervalMs: number
}
const streams = new Set<Stream>()
/** Times of the calls, by the name of the plan. */
const calls = new Map<string, number[]>()
let timer: NodeJS.Timeout | undefined

/** Sends all tokens that are due. One timer serves all streams. */
function tick(): void {
  const now = performance.now()
  for (const stream of streams) {
    const { tokens, numbered } = stream.plan
    const [before = '', after = ''] = stream.around
    while (stream.due <= now && stream.sent < tokens) {
      const number = numbered ? `#${stream.sent}` : ''
      writeChunk(stream.response, before + number + createStampedToken() + after)
      stream.sent++
      stream.due += stream.intervalMs
    }
    if (stream.sent < tokens && !stream.response.destroyed) continue
    streams.delete(stream)
    stream.response.end(formatEnd(stream.id, 'stop'))
  }
  if (streams.size === 0) {
    clearInterval(timer)
    timer = undefined
  }
}

/**
 * Writes the same bytes as `response.write`, in one piece instead of four, because the time of the fake model is part of the
 * measurement. The headers must have been sent.
 */
function writeChunk({ socket }: ServerResponse, text: string): void {
  socket?.write(`${text.length.toString(16)}\r\n${text}\r\n`, 'latin1')
}

function startText(response: ServerResponse, id: string, plan: Plan): void {
  const { perSecond, beginAt = 0 } = plan
  const intervalMs = perSecond === 0 ? 0 : 1000 / perSecond
  const waitMs = Math.max(0, beginAt - clockMicroseconds()) / 1000
  const around = formatChunk(id, { content: '#' }).split('#')
  // The random offset spreads the tokens of streams that start simultaneously.
  const due = performance.now() + waitMs + Math.random() * intervalMs
  streams.add({ response, id, around, plan, sent: 0, due, intervalMs })
  timer ??= setInterval(tick, 1)
}

async function readBody(request: IncomingMessage): Promise<{ messages: Message[] }> {
  const pieces: Buffer[] = []
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
  return JSON.parse(Buffer.concat(pieces).toString('utf8')) as { messages: Message[] }
}

let answers = 0

const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { plan, step } = findPlan((await readBody(request)).messages)
  if (plan.name !== undefined) calls.set(plan.name, [...(calls.get(plan.name) ?? []), clockMicroseconds()])
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const id = `answer-${++answers}`
  if (step + 1 < (plan.steps ?? 1)) {
    const input = plan.tool === 'read' ? '{"filePath":"x"}' : '{"todos":[]}'
    const calledFunction = { name: plan.tool ?? 'todo', arguments: input }
    const call = { index: 0, id: `call-${step}`, type: 'function', function: calledFunction }
    const chunk = formatChunk(id, { role: 'assistant', content: null, tool_calls: [call] })
    response.end(chunk + formatEnd(id, 'tool_calls'))
    return
  }
  response.flushHeaders()
  startText(response, id, plan)
}

const url = serve((request, response) => {
  respond(request, response).catch((error: unknown) => {
    console.error(error)
    response.destroy()
  })
})

handleRequests(async (request: ModelRequest) =>
  'listCalls' in request ? (calls.get(request.listCalls) ?? []) : `${await url}/v1`,
)
