import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { playResponse, readModelRequest, type FakeResponse } from '../../world/models/fake-model.ts'
import {
  findRound,
  plannedText,
  plannedThoughts,
  writePlan,
  type ModelFault,
  type Plan,
  type PlannedCall,
  type Round,
} from './plan.ts'
import type { ExternalRequest } from '../records/records.ts'

/**
 * Determines the responses to all requests until the mode changes. `hang`: new requests receive no byte. `stall`: all
 * responses pause. `cut`, `garbage`: responses in progress break immediately, and new responses after two words.
 */
type ServiceMode =
  | 'normal'
  | 'hang'
  | 'stall'
  | 'cut'
  | 'garbage'
  | { status: 429 | 500 | 503; retryAfterSeconds?: number }

export type ExternalServices = {
  /** URL for `MODEL_BASE_URL`, which ends with `/v1`. */
  readonly modelUrl: string
  readonly requests: ExternalRequest[]
  setMode(mode: ServiceMode): void
  /** Number of responses in progress. */
  countOpenResponses(): number
  close(): Promise<void>
}

const garbage = 'data: {"choices": [{"delta":\n\ndata: <html>\n\n'

const showFiles = 'echo working tree:; cat effects.txt; echo home:; cat ~/effects.txt'

const buildInput = (call: PlannedCall, { showsEffects }: Plan): object => {
  if (call.tool === 'no_such_tool') return { reason: 'unknown' }
  if (call.tool === 'task') return { task: writePlan(call.plan), instructions: 'Say when it is done.' }
  if (call.tool === 'effect') {
    const [before, after] = [call.beforeMs, call.afterMs].map((ms) => (ms === 0 ? '' : `sleep ${ms / 1000}`))
    const [writeHome, show] = showsEffects === true ? [`echo ${call.token} >> ~/effects.txt`, showFiles] : ['', '']
    const commands = [before, `echo ${call.token} >> effects.txt`, writeHome, after, show]
    return { command: commands.filter(Boolean).join('; ') }
  }
  const options = ['Yes', 'No'].map((label) => ({ label, description: `Choose ${label}` }))
  return { questions: [{ question: 'Shall I go on?', header: 'Question', options, multiSelect: false }] }
}

const toFakeResponse = ({ manner, calls = [] }: Round): FakeResponse => {
  switch (manner) {
    case 'two-finishes':
      return { finish: calls.length > 0 ? ['tool_calls', 'stop'] : ['stop', 'stop'] }
    case 'no-finish':
      return { finish: null }
    case 'bytewise':
      return { bytewise: true }
    case 'whole-calls':
      return { wholeCalls: true }
    case 'comments':
      return { comments: true }
    case 'half-tokens':
      return { usage: { prompt_tokens: 12.5, completion_tokens: -0.5 } }
    case 'endless-price':
      return { usage: { prompt_tokens: 3e12, completion_tokens: 2 ** 31 }, cost: 1e30 }
    case undefined:
      return {}
    default:
      return manner satisfies never
  }
}

const completeResponse = (plan: Plan, roundIndex: number, round: Round): FakeResponse => ({
  reasoning: plannedThoughts(plan, roundIndex),
  text: plannedText(plan, roundIndex),
  calls: (round.calls ?? []).map((call, index) => ({
    id: `${plan.id}.${roundIndex}.${index}`,
    name: call.tool === 'effect' ? 'bash' : call.tool,
    arguments: buildInput(call, plan),
  })),
  wordsPerSecond: plan.wordsPerSecond,
  ...toFakeResponse(round),
})

const createRefusal = (status: number, retryAfterSeconds: number | undefined): FakeResponse => ({
  status,
  ...(retryAfterSeconds !== undefined && { headers: { 'retry-after': String(retryAfterSeconds) } }),
  body: JSON.stringify({ error: { message: 'the fake model server rejects the request', code: status } }),
})

/** Breaks a response after the opening event and `wordCount` words, or at the end of a shorter text. */
const breakAfterWords = (
  whole: FakeResponse,
  wordCount: number,
  breakWith: FakeResponse['breakWith'],
): FakeResponse => ({
  ...whole,
  finish: null,
  usage: null,
  calls: [],
  breakAfter: 1 + wordCount,
  breakWith: breakWith ?? 'cut',
})

const breakResponse = (whole: FakeResponse, fault: ModelFault): FakeResponse => {
  if (fault.kind === 'status') return createRefusal(fault.status, fault.retryAfterSeconds)
  if (fault.kind === 'hang') return { delayMs: Infinity }
  const breakKinds = {
    cut: 'cut',
    garbage: 'garbage',
    error: 'error',
    silence: 'hang',
    unfinished: 'end',
    endless: 'endless',
  }
  const breakWith = breakKinds[fault.kind] as NonNullable<FakeResponse['breakWith']>
  return breakAfterWords(whole, fault.words, breakWith)
}

type Decision = { answer: FakeResponse; outcome: string }

const decide = (messages: readonly unknown[], attempt: number): Decision => {
  const planned = findRound(messages)
  if (planned === undefined) return { answer: { text: 'There is no plan.' }, outcome: 'whole' }
  const { plan, roundIndex } = planned
  const round = plan.rounds[roundIndex]
  if (round === undefined) return { answer: { text: `Plan ${plan.id} has no more rounds.` }, outcome: 'whole' }
  const whole = completeResponse(plan, roundIndex, round)
  const fault = round.faults?.[attempt - 1]
  if (fault === undefined) return { answer: whole, outcome: 'whole' }
  return { answer: breakResponse(whole, fault), outcome: fault.kind === 'status' ? String(fault.status) : fault.kind }
}

const applyMode = (decision: Decision, mode: ServiceMode): Decision => {
  if (typeof mode === 'object')
    return { answer: createRefusal(mode.status, mode.retryAfterSeconds), outcome: String(mode.status) }
  const isFailure = decision.answer.status !== undefined || decision.answer.delayMs !== undefined
  if (isFailure || (mode !== 'cut' && mode !== 'garbage')) return decision
  return { answer: breakAfterWords(decision.answer, 2, mode), outcome: mode }
}

/** Starts a model server that follows the plans in its requests. Its mode can break all responses. */
export const createExternalServices = async (port = 0): Promise<ExternalServices> => {
  const requests: ExternalRequest[] = []
  const inProgress = new Map<ServerResponse, ExternalRequest>()
  const waiting = new Set<() => void>()
  let mode: ServiceMode = 'normal'

  const whileHeld = async (response: ServerResponse, isHeld: () => boolean): Promise<void> => {
    while (isHeld() && !response.destroyed)
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          waiting.delete(wake)
          response.off('close', wake)
          resolve()
        }
        waiting.add(wake)
        response.once('close', wake)
      })
  }

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const idempotencyKey = String(incoming.headers['idempotency-key'] ?? '')
    const record: ExternalRequest = { service: 'model', idempotencyKey, at: Date.now(), outcome: 'hang' }
    requests.push(record)
    inProgress.set(response, record)
    // A change of the mode may end a response during a write.
    response.on('error', () => response.destroy())
    response.once('close', () => {
      inProgress.delete(response)
      record.closedAt = Date.now()
      if (record.outcome === 'whole' && !response.writableFinished) record.outcome = 'aborted'
    })
    const body = await readModelRequest(incoming)
    await whileHeld(response, () => mode === 'hang')
    if (response.destroyed) return
    const attempt = Number(idempotencyKey.split(':').at(-1)) || 1
    const { answer: fakeResponse, outcome } = applyMode(decide(body.messages ?? [], attempt), mode)
    record.outcome = outcome
    const isStalled = (): boolean => mode === 'stall'
    await playResponse(fakeResponse, response, body.model ?? 'fake', () =>
      isStalled() ? whileHeld(response, isStalled) : undefined,
    )
  }

  const breakAll = (kind: 'cut' | 'garbage'): void => {
    for (const [response, record] of inProgress) {
      if (!response.headersSent) continue
      record.outcome = kind
      if (kind === 'cut') response.destroy()
      else response.end(garbage)
    }
  }

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const setMode = (next: ServiceMode): void => {
    mode = next
    if (next === 'cut' || next === 'garbage') breakAll(next)
    for (const wake of waiting) wake()
  }
  return {
    modelUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    setMode,
    countOpenResponses: () => inProgress.size,
    close: async () => {
      setMode('normal')
      server.close()
      server.closeAllConnections()
      await once(server, 'close').catch(() => undefined)
    },
  }
}
