import { afterAll, beforeAll, expect, test } from 'vitest'
import { untilFound } from '../../chat/chat-api.ts'
import { createWorld, type World } from '../../world/world.ts'
import { checkGuarantees } from '../check/index.ts'
import { createExternalServices, type ExternalServices } from '../external-services/services.ts'
import type { ModelFault, Plan, Round } from '../external-services/plan.ts'
import { createRandom } from '../../world/random.ts'
import type { Records } from '../records/records.ts'
import { createSources } from '../records/sources.ts'
import type { UserChat } from '../users/busy.ts'
import { createScriptedUsers, type ScriptedUsers, type Sent } from '../users/scripted-users.ts'

let services: ExternalServices
let world: World
beforeAll(async () => {
  services = await createExternalServices()
  // The silence limit exceeds the delays on a machine that is busy with other tests.
  world = await createWorld({
    settings: { MODEL_BASE_URL: services.modelUrl, MODEL_SILENCE_SECONDS: '3', MODEL_OUTPUT_LIMIT: '3000' },
  })
})
afterAll(async () => {
  await world.close()
  await services.close()
})

const answerRound: Round = { words: 6 }
const toolRound = (token: string): Round => ({
  words: 2,
  calls: [{ tool: 'effect', token, beforeMs: 0, afterMs: 0 }],
})
const delegatedRound = (round: Round): Round => ({
  words: 2,
  calls: [{ tool: 'task', plan: { id: `sub-${round.manner}`, wordsPerSecond: 200, rounds: [round] } }],
})
const createBrokenRounds = (...faults: ModelFault[]): Round[] => [{ ...answerRound, faults }]
const faultInStepOfTool = (token: string): Round[] => [
  { ...toolRound(token), faults: [{ kind: 'cut', words: 1 }] },
  answerRound,
]
const rateLimited: ModelFault = { kind: 'status', status: 429, retryAfterSeconds: 1 }

/** By the name of a behavior: the rounds of the model, and the expected status and number of model calls of the run. */
const behaviors: Record<string, [rounds: Round[], status: 'completed' | 'failed', calls: number]> = {
  'no fault': [[answerRound], 'completed', 1],
  '429 with Retry-After': [createBrokenRounds(rateLimited), 'completed', 2],
  '429 without Retry-After': [createBrokenRounds({ kind: 'status', status: 429 }), 'completed', 2],
  '500, then 503': [
    createBrokenRounds({ kind: 'status', status: 500 }, { kind: 'status', status: 503 }),
    'completed',
    3,
  ],
  'no response': [createBrokenRounds({ kind: 'hang' }), 'completed', 2],
  'silence after three words': [createBrokenRounds({ kind: 'silence', words: 3 }), 'completed', 2],
  'garbage before the first word': [createBrokenRounds({ kind: 'garbage', words: 0 }), 'completed', 2],
  'garbage after three words': [createBrokenRounds({ kind: 'garbage', words: 3 }), 'completed', 2],
  'an error in the stream': [createBrokenRounds({ kind: 'error', words: 3 }), 'completed', 2],
  'cut before the first word': [createBrokenRounds({ kind: 'cut', words: 0 }), 'completed', 2],
  'cut after three words': [createBrokenRounds({ kind: 'cut', words: 3 }), 'completed', 2],
  'two cuts, the second later': [
    createBrokenRounds({ kind: 'cut', words: 2 }, { kind: 'cut', words: 5 }),
    'completed',
    3,
  ],
  'an end without finish': [createBrokenRounds({ kind: 'unfinished', words: 4 }), 'completed', 2],
  'an end marker without finish': [[{ ...answerRound, manner: 'no-finish' }], 'completed', 1],
  'two finishes': [[{ ...answerRound, manner: 'two-finishes' }], 'completed', 1],
  'one byte at a time': [[{ ...answerRound, manner: 'bytewise' }], 'completed', 1],
  'fractional tokens': [[{ ...answerRound, manner: 'half-tokens' }], 'completed', 1],
  'an impossible price': [[{ ...answerRound, manner: 'endless-price' }], 'completed', 1],
  'a sub-agent with fractional tokens': [
    [delegatedRound({ ...answerRound, manner: 'half-tokens' }), answerRound],
    'completed',
    3,
  ],
  'a sub-agent with an impossible price': [
    [delegatedRound({ ...answerRound, manner: 'endless-price' }), answerRound],
    'completed',
    3,
  ],
  'a fault after a tool call': [
    [toolRound('matrix-1'), ...createBrokenRounds({ kind: 'cut', words: 3 })],
    'completed',
    3,
  ],
  'a fault in a step with a tool call': [faultInStepOfTool('matrix-2'), 'completed', 3],
  '429 at every attempt': [createBrokenRounds(rateLimited, rateLimited, rateLimited), 'failed', 3],
  'no response at every attempt': [
    createBrokenRounds({ kind: 'hang' }, { kind: 'hang' }, { kind: 'hang' }),
    'failed',
    3,
  ],
  'a rejected request': [createBrokenRounds({ kind: 'status', status: 400 }), 'failed', 1],
  'an endless response': [createBrokenRounds({ kind: 'endless', words: 2 }), 'failed', 1],
}

/** Describes the requests to the model for a run: step, attempt (0: the head start) and outcome. */
const describeRequests = ({ externalRequests: requests, store }: Records, runId: string): string[] =>
  requests
    .filter(({ idempotencyKey }) => idempotencyKey.startsWith(`${runId}:`))
    .map(({ idempotencyKey, outcome }) => {
      const key = idempotencyKey.slice(runId.length + 1)
      const lost = store.attempts.find(
        (candidate) => candidate.runId === runId && `${candidate.step}:${candidate.attempt}` === key,
      )
      return `${key}${key === '0:0' ? ' (head start)' : ''} ${outcome}${lost === undefined ? '' : `, ${lost.reason}`}`
    })

const summarize = ({ store, externalRequests: requests }: Records, runId: string) => ({
  status: store.runs.find(({ id }) => id === runId)?.status,
  // Excludes the request for the commit message, which is not part of a step.
  calls: requests.filter(({ idempotencyKey: key }) => key.startsWith(`${runId}:`) && !key.includes(':commit:')).length,
})

const createUsers = (seed: number): ScriptedUsers =>
  createScriptedUsers({
    seed,
    random: createRandom(seed),
    apiUrls: () => [world.baseUrl],
    sources: createSources(world),
    serverSecret: world.config.SERVER_SECRET ?? '',
    services,
  })

test('for every behavior of the model, the turn ends as expected and every guarantee holds', async () => {
  const users = createUsers(99)
  try {
    const runs = new Map<string, string>()
    const runEntry = async ([name, [rounds]]: (typeof entries)[number]): Promise<void> => {
      const commands = rounds.some(({ calls }) => calls?.some(({ tool }) => tool === 'effect'))
      const chat = await users.openChat({ commands })
      const sent = await users.send(chat, users.createPlan(rounds))
      await sent.done
      if (typeof sent.started !== 'string') runs.set(name, sent.started.runId)
      await chat.client.load(chat.sessionId, chat.chatId)
    }
    const entries = Object.entries(behaviors)
    await Promise.all(entries.map(runEntry))
    const records = await users.records()
    const requestsByEntry = Object.fromEntries(
      [...runs].map(([name, runId]) => [name, describeRequests(records, runId)]),
    )
    const summaries = entries.map(([name]) => [name, summarize(records, runs.get(name) ?? '')] as const)
    expect(Object.fromEntries(summaries), JSON.stringify(requestsByEntry, undefined, 2)).toEqual(
      Object.fromEntries(entries.map(([name, [, status, calls]]) => [name, { status, calls }])),
    )
    expect(checkGuarantees(records)).toEqual([])
    expect(users.unexpectedResponses).toEqual([])
  } finally {
    await users.close()
  }
})

const requireRunId = ({ started }: Sent): string => {
  if (typeof started === 'string') throw new Error(`the turn was rejected: ${started}`)
  return started.runId
}

/** Sends a turn whose workflow starts only after the head start has been cut. */
const delayTakeover = async (users: ScriptedUsers, chat: UserChat, plan: Plan): Promise<Sent> => {
  const unreachable = { ...world.engine, startTurn: () => Promise.reject(new Error('unreachable')) }
  const sent = await world.withEngine(unreachable, () => users.send(chat, plan))
  const runId = requireRunId(sent)
  await untilFound('the cut', () => world.db`select 1 from stream_head where run_id = ${runId} and failures = 1`)
  await world.engine.startTurn(runId)
  return sent
}

/** Sends a turn whose response is cut seconds after the workflow has started. */
const delayCut = (users: ScriptedUsers, chat: UserChat, plan: Plan): Promise<Sent> =>
  users.send(chat, { ...plan, wordsPerSecond: 1 })

/** Sends a turn whose sandbox has expired. The start of a new sandbox exceeds the heartbeat timeout of an activity. */
const delaySandbox = async (users: ScriptedUsers, chat: UserChat, plan: Plan): Promise<Sent> => {
  const sent = await users.send(chat, plan)
  await world.db`
    update sessions set sandbox_expires_at = now() - interval '1 second' where id = ${chat.sessionId}`
  await world.db.begin(async (tx) => {
    await tx`select 1 from sessions where id = ${chat.sessionId} for update`
    await untilFound(
      'a sandbox start that waits for the lock',
      () => world.db`
        select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%set lifecycle_state%'
          and query_start < now() - interval '8 s'`,
    )
  })
  return sent
}

test.each([
  ['takeover', 100, delayTakeover],
  ['cut', 101, delayCut],
  ['sandbox', 102, delaySandbox],
] as const)(
  'a fault in a step with a tool call causes one more model call, even if the %s is late',
  async (lateEvent, seed, send) => {
    const users = createUsers(seed)
    try {
      const chat = await users.openChat({ commands: true })
      const sent = await send(users, chat, users.createPlan(faultInStepOfTool(`late-${lateEvent}`)))
      await sent.done
      const records = await users.records()
      const requests = JSON.stringify(describeRequests(records, requireRunId(sent)), undefined, 2)
      expect(summarize(records, requireRunId(sent)), requests).toEqual({ status: 'completed', calls: 3 })
      expect(checkGuarantees(records)).toEqual([])
      expect(users.unexpectedResponses).toEqual([])
    } finally {
      await users.close()
    }
  },
)
