import { setTimeout as sleep } from 'node:timers/promises'
import { waitFor } from '../../../dev/processes/processes.ts'
import type { Random } from '../../world/random.ts'
import type { ExternalServices } from '../external-services/services.ts'
import type { ModelFault, Round } from '../external-services/plan.ts'
import type { Sources } from '../records/collect.ts'
import type { Fault, ExternalRequest } from '../records/records.ts'
import { sendBusy, type UserChat } from '../users/busy.ts'
import type { Sent, ScriptedUsers } from '../users/scripted-users.ts'

/** The system and the clients' access to it in a race. */
export type RaceEnvironment = {
  apiUrls: () => string[]
  sources: Sources
  serverSecret: string
  services: ExternalServices
  /** Kills a worker whose work another worker continues. If it is undefined, no race includes a dead worker. */
  killWorker?: () => Promise<Fault>
}

export type Race = {
  users: ScriptedUsers
  chat: UserChat
  random: Random
  environment: RaceEnvironment
  faults: Fault[]
  recordRun: (runId: string) => void
}

/** Starts a turn, injects an event at a random time, and returns the run. */
export type Scenario = (race: Race) => Promise<Sent & { runId: string }>

const callTimeoutMs = 60_000

export const drawEffectRound = (random: Random, token: string, maxMs: number): Round => ({
  words: random.between(0, 3),
  calls: [{ tool: 'effect', token, beforeMs: random.between(0, maxMs), afterMs: random.between(0, maxMs) }],
})

export const drawTransientFault = (random: Random): ModelFault =>
  random.pick<ModelFault>([
    { kind: 'status', status: 429, retryAfterSeconds: 1 },
    { kind: 'status', status: 500 },
    { kind: 'cut', words: random.between(0, 4) },
    { kind: 'garbage', words: random.between(0, 4) },
  ])

/** Draws a duration from 1 ms to `maxMs`. The distribution is log-uniform, because machines differ in speed. */
export const drawDelay = (random: Random, maxMs: number): number => Math.round(maxMs ** random.next())

/** Waits for a model call of this run. */
export const awaitCall = async (
  { environment }: Race,
  runId: string,
  matches: (request: ExternalRequest) => boolean = () => true,
): Promise<void> => {
  const call = await waitFor(
    () =>
      environment.services.requests.find(
        (request) => request.idempotencyKey.startsWith(`${runId}:`) && matches(request),
      ),
    callTimeoutMs,
    2,
  )
  if (call === undefined) throw new Error(`the model was not called for ${runId}`)
}

export const isClosed = ({ closedAt }: ExternalRequest): boolean => closedAt !== undefined

/** Sends a turn that steering messages may join, so that its text is not predictable. */
export const beginSteerable = async (
  { users, chat, recordRun }: Race,
  rounds: Round[],
): Promise<Sent & { runId: string }> => {
  const plan = users.createPlan(rounds, 100)
  const started = await sendBusy(chat, plan, 'steer')
  if (typeof started === 'string' || !('runId' in started))
    throw new Error(`a turn did not start: ${JSON.stringify(started)}`)
  recordRun(started.runId)
  return { idempotencyKey: '', plan, started, runId: started.runId, done: users.follow(chat, started) }
}

/** Sends the turn of the race. */
export const begin = async (
  { users, chat, recordRun }: Race,
  rounds: Round[],
  wordsPerSecond: number,
): Promise<Sent & { runId: string }> => {
  const sent = await users.send(chat, users.createPlan(rounds, wordsPerSecond))
  if (typeof sent.started === 'string') throw new Error(`a turn was rejected: ${sent.started}`)
  const { runId } = sent.started
  recordRun(runId)
  return { ...sent, runId }
}

export const stopAfter = async ({ chat }: Race, runId: string, ms: number): Promise<void> => {
  await sleep(ms)
  await chat.client.stop(chat.chatId, runId)
}
