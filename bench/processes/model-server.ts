import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerQuestions, serve } from './child-process.ts'
import { clockMicroseconds, stampedToken, type Plan } from '../stack/plan.ts'

export type ModelQuestion = { listCalls: string } | { url: true }

type Message = { role: string; content?: unknown }

/** Returns one chunk of the response with this id. */
function event(id: string, delta: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 1, model: 'default', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
}

const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }

function ending(id: string, finish: string): string {
  return `${event(id, {}, finish)}data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 1, model: 'default', choices: [], usage })}\n\ndata: [DONE]\n\n`
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
  /** JSON around each token. It is built once, so that the fake model is not the bottleneck at 20,000 tokens per second. */
  around: string[]
  plan: Plan
  sent: number
  due: number
  intervalMs: number
}
const streams = new Set<Stream>()
/** Times of the calls, by the name of the plan. */
const calls = new Map<string, number[]>()
let ticking: NodeJS.Timeout | undefined

/** Sends all tokens that are due. One timer serves all streams. */
function tick(): void {
  const now = performance.now()
  for (const stream of streams) {
    const { tokens, numbered } = stream.plan
    const [before = '', after = ''] = stream.around
    while (stream.due <= now && stream.sent < tokens) {
      const number = numbered ? `#${stream.sent}` : ''
      stream.response.write(before + number + stampedToken() + after, 'latin1')
      stream.sent++
      stream.due += stream.intervalMs
    }
    if (stream.sent < tokens && !stream.response.destroyed) continue
    streams.delete(stream)
    stream.response.end(ending(stream.id, 'stop'))
  }
  if (streams.size === 0) {
    clearInterval(ticking)
    ticking = undefined
  }
}

function startText(response: ServerResponse, id: string, plan: Plan): void {
  const { perSecond, beginAt = 0 } = plan
  const intervalMs = perSecond === 0 ? 0 : 1000 / perSecond
  const wait = Math.max(0, beginAt - clockMicroseconds()) / 1000
  // A random offset keeps streams that start together from sending at the same time.
  const around = event(id, { content: '#' }).split('#')
  const due = performance.now() + wait + Math.random() * intervalMs
  streams.add({ response, id, around, plan, sent: 0, due, intervalMs })
  ticking ??= setInterval(tick, 1)
}

async function readBody(request: IncomingMessage): Promise<{ messages: Message[] }> {
  const pieces: Buffer[] = []
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
  return JSON.parse(Buffer.concat(pieces).toString('utf8')) as { messages: Message[] }
}

let answers = 0

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { plan, step } = findPlan((await readBody(request)).messages)
  if (plan.name !== undefined) calls.set(plan.name, [...(calls.get(plan.name) ?? []), clockMicroseconds()])
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const id = `answer-${++answers}`
  if (step + 1 < (plan.steps ?? 1)) {
    const called = { name: plan.tool ?? 'todo', arguments: plan.tool === 'read' ? '{"filePath":"x"}' : '{"todos":[]}' }
    const call = { index: 0, id: `call-${step}`, type: 'function', function: called }
    response.end(event(id, { role: 'assistant', content: null, tool_calls: [call] }) + ending(id, 'tool_calls'))
    return
  }
  response.flushHeaders()
  startText(response, id, plan)
}

const url = serve((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error)
    response.destroy()
  })
})

answerQuestions(async (question: ModelQuestion) =>
  'listCalls' in question ? (calls.get(question.listCalls) ?? []) : `${await url}/v1`,
)
