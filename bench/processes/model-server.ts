import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerQuestions, serve } from './child-process.ts'
import { clockMicroseconds, stampedToken, type Plan } from '../stack/plan.ts'

type Message = { role: string; content?: unknown }

function event(delta: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'default', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
}

const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }

function ending(finish: string): string {
  return `${event({}, finish)}data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'default', choices: [], usage })}\n\ndata: [DONE]\n\n`
}

// Made once: at 20,000 tokens a second the fake model must not be what is measured.
const [beforeToken = '', afterToken = ''] = event({ content: '#' }).split('#')

function textOf(content: unknown): string {
  return typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part: { text?: string }) => part.text ?? '').join('')
      : ''
}

function planOf(messages: Message[]): { plan: Plan; step: number } {
  const place = messages.findLastIndex(({ role }) => role === 'user')
  const plan = JSON.parse(textOf(messages[place]?.content)) as Plan
  return { plan, step: messages.slice(place).filter(({ role }) => role === 'assistant').length }
}

type Stream = { response: ServerResponse; left: number; due: number; everyMs: number }
const streams = new Set<Stream>()
let ticking: NodeJS.Timeout | undefined

/** One timer for all streams: each token is sent when it is due, whatever the others do. */
function tick(): void {
  const now = performance.now()
  for (const stream of streams) {
    while (stream.due <= now && stream.left > 0) {
      stream.response.write(beforeToken + stampedToken() + afterToken, 'latin1')
      stream.left--
      stream.due += stream.everyMs
    }
    if (stream.left > 0 && !stream.response.destroyed) continue
    streams.delete(stream)
    stream.response.end(ending('stop'))
  }
  if (streams.size === 0) {
    clearInterval(ticking)
    ticking = undefined
  }
}

function startText(response: ServerResponse, { tokens, perSecond, beginAt = 0 }: Plan): void {
  const everyMs = perSecond === 0 ? 0 : 1000 / perSecond
  const wait = Math.max(0, beginAt - clockMicroseconds()) / 1000
  // Streams that begin together do not send together.
  streams.add({ response, left: tokens, due: performance.now() + wait + Math.random() * everyMs, everyMs })
  ticking ??= setInterval(tick, 1)
}

async function readBody(request: IncomingMessage): Promise<{ messages: Message[] }> {
  const pieces: Buffer[] = []
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
  return JSON.parse(Buffer.concat(pieces).toString('utf8')) as { messages: Message[] }
}

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { plan, step } = planOf((await readBody(request)).messages)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (step + 1 < (plan.steps ?? 1)) {
    const called = { name: plan.tool ?? 'todo', arguments: plan.tool === 'read' ? '{"filePath":"x"}' : '{"todos":[]}' }
    const call = { index: 0, id: `call-${step}`, type: 'function', function: called }
    response.end(event({ role: 'assistant', content: null, tool_calls: [call] }) + ending('tool_calls'))
    return
  }
  response.flushHeaders()
  startText(response, plan)
}

const url = serve((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error)
    response.destroy()
  })
})

answerQuestions(async () => `${await url}/v1`)
