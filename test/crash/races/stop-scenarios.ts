import { setTimeout as sleep } from 'node:timers/promises'
import type { Plan } from '../external-services/plan.ts'
import { sendBusy } from '../users/busy.ts'
import type { Queued, Started } from '../users/client.ts'
import type { Sent } from '../users/scripted-users.ts'
import {
  awaitCall,
  begin,
  beginSteerable,
  drawEffectRound,
  isClosed,
  drawDelay,
  drawTransientFault,
  stopAfter,
  type Scenario,
  type Race,
} from './race.ts'

/**
 * Sends a turn, queues two messages during it, one of them of the given kind, and may stop the turn. Resumes held
 * messages at the end, so that every message is processed.
 */
const raceQueuedMessages = async (
  race: Race,
  onBusy: 'queue' | 'interrupt' | 'steer',
): Promise<Sent & { runId: string }> => {
  const { users, chat, random } = race
  const rounds = [drawEffectRound(random, `token-${users.nextName()}`, 300), { words: random.between(1, 30) }]
  // A steering message may change the text.
  const sent = onBusy === 'steer' ? await beginSteerable(race, rounds) : await begin(race, rounds, 100)
  const planShort = (): Plan => users.createPlan([{ words: random.between(1, 6) }], 200)
  const waiting: (Started | Queued)[] = []
  const sendAll = async (): Promise<void> => {
    for (const kind of random.chance(0.5) ? (['queue', onBusy] as const) : ([onBusy, 'queue'] as const)) {
      await sleep(drawDelay(random, 800))
      waiting.push(await sendBusy(chat, planShort(), kind, onBusy === 'steer'))
    }
  }
  await Promise.all([sendAll(), random.chance(0.6) ? stopAfter(race, sent.runId, drawDelay(random, 1500)) : undefined])
  await chat.client.untilEnded(sent.runId)
  await chat.client.resume(chat.chatId)
  for (const message of waiting) await users.follow(chat, message)
  return sent
}

/** Stops during each operation of a turn, and while messages are queued. */
export const stopScenarios = {
  finish: async (race) => {
    const { random } = race
    const sent = await begin(race, [{ words: random.between(1, 12) }], random.between(60, 300))
    await awaitCall(race, sent.runId, isClosed)
    await stopAfter(race, sent.runId, drawDelay(random, 2000))
    return sent
  },
  tool: async (race) => {
    const { random, users } = race
    const sent = await begin(race, [drawEffectRound(random, `token-${users.nextName()}`, 200), { words: 5 }], 200)
    await awaitCall(race, sent.runId, isClosed)
    await stopAfter(race, sent.runId, drawDelay(random, 2500))
    return sent
  },
  retry: async (race) => {
    const { random } = race
    const sent = await begin(race, [{ words: 8, faults: [drawTransientFault(random)] }], 100)
    await awaitCall(race, sent.runId, isClosed)
    await stopAfter(race, sent.runId, drawDelay(random, 4000))
    return sent
  },
  worker: async (race) => {
    const { random, users, environment, faults } = race
    const rounds = random.chance(0.5)
      ? [{ words: 60 }]
      : [drawEffectRound(random, `token-${users.nextName()}`, 800), { words: 20 }]
    const sent = await begin(race, rounds, 40)
    await awaitCall(race, sent.runId)
    await sleep(random.between(0, 800))
    const killing = environment.killWorker?.().then((fault) => faults.push(fault))
    await stopAfter(race, sent.runId, drawDelay(random, 5000))
    await killing
    return sent
  },
  start: async (race) => {
    const { random, chat } = race
    const early = random.chance(0.5) ? stopAfter(race, '', random.between(0, 30)) : Promise.resolve()
    const sent = await begin(race, [{ words: 8 }], 100)
    await early
    await sleep(drawDelay(random, 1000))
    await chat.client.stop(chat.chatId, sent.runId)
    return sent
  },
  stop: async (race) => {
    const { random } = race
    const sent = await begin(race, [drawEffectRound(random, `token-${race.users.nextName()}`, 100), { words: 30 }], 100)
    await Promise.all(Array.from({ length: 3 }, () => stopAfter(race, sent.runId, drawDelay(random, 2000))))
    return sent
  },
  deletion: async (race) => {
    const { random, chat } = race
    const sent = await begin(race, [drawEffectRound(random, `token-${race.users.nextName()}`, 100), { words: 30 }], 100)
    await sleep(drawDelay(random, 2000))
    const remove = async (): Promise<void> => {
      await sleep(random.between(0, 50))
      await chat.client.deleteSession(chat.sessionId, chat.chatId)
    }
    // A stop of a deleted chat is rejected.
    const stop = stopAfter(race, sent.runId, random.between(0, 50)).catch(() => undefined)
    await Promise.all([stop, remove()])
    return sent
  },
  queue: (race) => raceQueuedMessages(race, 'queue'),
  interrupt: (race) => raceQueuedMessages(race, 'interrupt'),
  steer: (race) => raceQueuedMessages(race, 'steer'),
} satisfies Record<string, Scenario>
