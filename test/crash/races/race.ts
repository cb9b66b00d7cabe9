import { setTimeout as sleep } from 'node:timers/promises'
import { waitFor } from '../../../dev/processes/processes.ts'
import type { Random } from '../../world/random.ts'
import type { OutsideWorld } from '../outside/outside.ts'
import type { ModelFault, Round } from '../outside/plan.ts'
import type { Sources } from '../records/collect.ts'
import type { Fault, OutsideRequest } from '../records/records.ts'
import { sendBusy } from '../users/busy.ts'
import type { Sent, ScriptedUsers, UserChat } from '../users/scripted-users.ts'

/** The environment of races. */
export type Arena = {
  apiUrls: () => string[]
  sources: Sources
  serverSecret: string
  outside: OutsideWorld
  /** Kills a worker whose work another one takes over; unset: no race against a dead worker. */
  killWorker?: () => Promise<Fault>
}

export type Race = {
  users: ScriptedUsers
  chat: UserChat
  random: Random
  arena: Arena
  faults: Fault[]
  noteRun: (runId: string) => void
}

/** One race: starts a turn, injects its event at a random moment, and returns the run. */
export type Course = (race: Race) => Promise<Sent & { runId: string }>

const patienceMs = 60_000

export const effect = (random: Random, token: string, longestMs: number): Round => ({
  words: random.between(0, 3),
  calls: [{ tool: 'effect', token, beforeMs: random.between(0, longestMs), afterMs: random.between(0, longestMs) }],
})

export const passingFault = (random: Random): ModelFault =>
  random.pick<ModelFault>([
    { kind: 'status', status: 429, retryAfterSeconds: 1 },
    { kind: 'status', status: 500 },
    { kind: 'cut', words: random.between(0, 4) },
    { kind: 'garbage', words: random.between(0, 4) },
  ])

/** Returns a duration from 1 ms to the longest, log-uniform because machines differ in speed. */
export const moment = (random: Random, longestMs: number): number => Math.round(longestMs ** random.next())

/** Waits for a model call of this run. */
export const awaitCall = async (
  { arena }: Race,
  runId: string,
  which: (request: OutsideRequest) => boolean = () => true,
): Promise<void> => {
  const call = await waitFor(
    () => arena.outside.requests.find((one) => one.idempotencyKey.startsWith(`${runId}:`) && which(one)),
    patienceMs,
    2,
  )
  if (call === undefined) throw new Error(`the model was not called for ${runId}`)
}

export const isOver = ({ closedAt }: OutsideRequest): boolean => closedAt !== undefined

/** Sends a turn whose text cannot be predicted. */
export const beginSteered = async (
  { users, chat, noteRun }: Race,
  rounds: Round[],
): Promise<Sent & { runId: string }> => {
  const plan = users.planOf(rounds, 100)
  const started = await sendBusy(chat, plan, 'steer')
  if (typeof started === 'string' || !('runId' in started))
    throw new Error(`a turn did not start: ${JSON.stringify(started)}`)
  noteRun(started.runId)
  return { idempotencyKey: '', plan, started, runId: started.runId, done: users.follow(chat, started) }
}

/** Sends the turn that the race is about. */
export const begin = async (
  { users, chat, noteRun }: Race,
  rounds: Round[],
  wordsPerSecond: number,
): Promise<Sent & { runId: string }> => {
  const sent = await users.send(chat, users.planOf(rounds, wordsPerSecond))
  if (typeof sent.started === 'string') throw new Error(`a turn was rejected: ${sent.started}`)
  const { runId } = sent.started
  noteRun(runId)
  return { ...sent, runId }
}

export const stopAfter = async ({ chat }: Race, runId: string, ms: number): Promise<void> => {
  await sleep(ms)
  await chat.client.stop(chat.chatId, runId)
}
