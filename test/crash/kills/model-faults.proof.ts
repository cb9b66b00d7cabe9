import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../../world/world.ts'
import { checkPromises } from '../check/index.ts'
import { createOutsideWorld, type OutsideWorld } from '../outside/outside.ts'
import type { ModelFault, Round } from '../outside/plan.ts'
import { createRandom } from '../../world/random.ts'
import type { Records } from '../records/records.ts'
import { sourcesOf } from '../records/sources.ts'
import { createScriptedUsers } from '../users/scripted-users.ts'

let outside: OutsideWorld
let world: World
beforeAll(async () => {
  outside = await createOutsideWorld()
  // Longer than a machine that is busy with other tests holds up a word of the model.
  world = await createWorld({
    settings: { MODEL_BASE_URL: outside.modelUrl, MODEL_SILENCE_SECONDS: '3', MODEL_OUTPUT_LIMIT: '3000' },
  })
})
afterAll(async () => {
  await world.close()
  await outside.close()
})

const answer: Round = { words: 6 }
const tool = (token: string): Round => ({
  words: 2,
  calls: [{ tool: 'effect', token, beforeMs: 0, afterMs: 0 }],
})
const delegated = (round: Round): Round => ({
  words: 2,
  calls: [{ tool: 'task', plan: { id: `sub-${round.manner}`, wordsPerSecond: 200, rounds: [round] } }],
})
const broken = (...faults: ModelFault[]): Round[] => [{ ...answer, faults }]
const busy: ModelFault = { kind: 'status', status: 429, retryAfterSeconds: 1 }

/** Rounds of the model, how the run ends, and how often the model is asked. */
const matrix: Record<string, [rounds: Round[], status: 'completed' | 'failed', calls: number]> = {
  'nothing goes wrong': [[answer], 'completed', 1],
  '429 with Retry-After': [broken(busy), 'completed', 2],
  '429 without Retry-After': [broken({ kind: 'status', status: 429 }), 'completed', 2],
  '500, then 503': [broken({ kind: 'status', status: 500 }, { kind: 'status', status: 503 }), 'completed', 3],
  'no byte at all': [broken({ kind: 'hang' }), 'completed', 2],
  'silence after three words': [broken({ kind: 'silence', words: 3 }), 'completed', 2],
  'garbage before the first word': [broken({ kind: 'garbage', words: 0 }), 'completed', 2],
  'garbage after three words': [broken({ kind: 'garbage', words: 3 }), 'completed', 2],
  'an error in the stream': [broken({ kind: 'error', words: 3 }), 'completed', 2],
  'cut before the first word': [broken({ kind: 'cut', words: 0 }), 'completed', 2],
  'cut after three words': [broken({ kind: 'cut', words: 3 }), 'completed', 2],
  'cut twice, each time later': [broken({ kind: 'cut', words: 2 }, { kind: 'cut', words: 5 }), 'completed', 3],
  'an end without finish': [broken({ kind: 'unfinished', words: 4 }), 'completed', 2],
  'an end marker without finish': [[{ ...answer, manner: 'no-finish' }], 'completed', 1],
  'two finishes': [[{ ...answer, manner: 'two-finishes' }], 'completed', 1],
  'one byte at a time': [[{ ...answer, manner: 'bytewise' }], 'completed', 1],
  'tokens that are not whole': [[{ ...answer, manner: 'half-tokens' }], 'completed', 1],
  'a price beyond all': [[{ ...answer, manner: 'endless-price' }], 'completed', 1],
  'a sub-agent with tokens that are not whole': [
    [delegated({ ...answer, manner: 'half-tokens' }), answer],
    'completed',
    3,
  ],
  'a sub-agent with a price beyond all': [[delegated({ ...answer, manner: 'endless-price' }), answer], 'completed', 3],
  'a fault behind a tool': [[tool('matrix-1'), ...broken({ kind: 'cut', words: 3 })], 'completed', 3],
  'a fault in the step of a tool': [
    [{ ...tool('matrix-2'), faults: [{ kind: 'cut', words: 1 }] }, answer],
    'completed',
    3,
  ],
  '429 for ever': [broken(busy, busy, busy), 'failed', 3],
  'no byte for ever': [broken({ kind: 'hang' }, { kind: 'hang' }, { kind: 'hang' }), 'failed', 3],
  'a request that is refused': [broken({ kind: 'status', status: 400 }), 'failed', 1],
  'an answer without end': [broken({ kind: 'endless', words: 2 }), 'failed', 1],
}

/** What the model was asked for a run: step, attempt (0: the head start), and what ended each request. */
const describeRequests = ({ outside: requests, store }: Records, runId: string): string[] =>
  requests
    .filter(({ idempotencyKey }) => idempotencyKey.startsWith(`${runId}:`))
    .map(({ idempotencyKey, outcome }) => {
      const key = idempotencyKey.slice(runId.length + 1)
      const lost = store.attempts.find((one) => one.runId === runId && `${one.step}:${one.attempt}` === key)
      return `${key}${key === '0:0' ? ' (head start)' : ''} ${outcome}${lost === undefined ? '' : `, ${lost.reason}`}`
    })

const summary = ({ store, outside: requests }: Records, runId: string) => ({
  status: store.runs.find(({ id }) => id === runId)?.status,
  // Of its steps: the message of its commit is asked for besides.
  calls: requests.filter(({ idempotencyKey: key }) => key.startsWith(`${runId}:`) && !key.includes(':commit:')).length,
})

test('whatever the model does, the turn ends as it should and every promise holds', async () => {
  const users = createScriptedUsers({
    seed: 99,
    random: createRandom(99),
    apiUrls: () => [world.baseUrl],
    sources: sourcesOf(world),
    serverSecret: world.config.SERVER_SECRET ?? '',
    outside,
  })
  try {
    const runs = new Map<string, string>()
    const play = async ([what, [rounds]]: (typeof entries)[number]): Promise<void> => {
      const commands = rounds.some(({ calls }) => calls?.some(({ tool }) => tool === 'effect'))
      const chat = await users.openChat({ commands })
      const sent = await users.send(chat, users.planOf(rounds))
      await sent.done
      if (typeof sent.started !== 'string') runs.set(what, sent.started.runId)
      await chat.client.load(chat.sessionId, chat.chatId)
    }
    const entries = Object.entries(matrix)
    await Promise.all(entries.map(play))
    const records = await users.records()
    const asked = Object.fromEntries([...runs].map(([what, runId]) => [what, describeRequests(records, runId)]))
    const summaries = entries.map(([what]) => [what, summary(records, runs.get(what) ?? '')] as const)
    expect(Object.fromEntries(summaries), JSON.stringify(asked, undefined, 2)).toEqual(
      Object.fromEntries(entries.map(([what, [, status, calls]]) => [what, { status, calls }])),
    )
    expect(checkPromises(records)).toEqual([])
    expect(users.surprises).toEqual([])
  } finally {
    await users.close()
  }
})
