import { expect, test } from 'vitest'
import { connectClient } from '../../../../engine/connect.ts'
import { createWorld, eventually, type World, type WorldOptions } from '../../../world/world.ts'
import { createExternalServices, type ExternalServices } from '../../external-services/services.ts'
import { startWorkerInProcess } from '../../processes.ts'
import { createRandom } from '../../../world/random.ts'
import type { Fault, GuaranteeId, Violation } from '../../records/records.ts'
import { createSources } from '../../records/sources.ts'
import { sendBusy, type UserChat } from '../../users/busy.ts'
import { createScriptedUsers, type Sent, type ScriptedUsers } from '../../users/scripted-users.ts'
import { startProxyWithoutRetryAfter, type ApiProxy } from './retry-after-proxy.ts'
import { checkGuarantees } from '../index.ts'

type TestSystem = { world: World; users: ScriptedUsers; services: ExternalServices; chat: UserChat; faults: Fault[] }
type Act = (system: TestSystem) => Promise<unknown>
type SystemOptions = Pick<WorldOptions, 'worker' | 'settings'> & {
  /** Whether the model calls tools that need a sandbox. */
  commands?: boolean
  startProxy?: (world: World) => Promise<ApiProxy>
}

/** Ends the runs and workflows that a broken system left running, because no sweep ends them. */
const endWork = async ({ db, temporalAddress, config, taskQueue }: World): Promise<void> => {
  await db`update runs set status = 'failed', ended_at = now() where status in ('queued', 'running')`
  const engine = await connectClient({ address: temporalAddress, namespace: config.TEMPORAL_NAMESPACE, tls: false })
  try {
    const query = `TaskQueue = '${taskQueue}' and ExecutionStatus = 'Running'`
    for await (const { workflowId } of engine.client.workflow.list({ query }))
      await engine.client.workflow.getHandle(workflowId).terminate('the test has ended')
  } finally {
    await engine.close()
  }
}

/** Runs `act` on a new system. Returns the violations that the checker detects. */
const detect = async (options: SystemOptions, act: Act): Promise<Violation[]> => {
  const services = await createExternalServices()
  const { startProxy, settings, commands = false, ...worldOptions } = options
  const world = await createWorld({ ...worldOptions, settings: { MODEL_BASE_URL: services.modelUrl, ...settings } })
  const proxy = await startProxy?.(world)
  const sources = createSources(world)
  const serverSecret = world.config.SERVER_SECRET ?? ''
  const apiUrls = () => [proxy?.url ?? world.baseUrl]
  const users = createScriptedUsers({ seed: 7, random: createRandom(7), apiUrls, sources, serverSecret, services })
  const faults: Fault[] = []
  try {
    const chat = options.worker === false ? await openWithoutWorker(world, users) : await users.openChat({ commands })
    await act({ world, users, services, chat, faults })
    return checkGuarantees(await users.records(faults))
  } finally {
    await users.close()
    await endWork(world)
    await proxy?.close()
    await world.close()
    await services.close()
  }
}

/** Opens a chat with a worker, which the sandbox requires, and then stops the worker. */
const openWithoutWorker = async (world: World, users: ScriptedUsers): Promise<UserChat> => {
  const worker = await startWorkerInProcess(world)
  const chat = await users.openChat({ commands: true })
  await worker.stop()
  return chat
}

const listViolatedGuarantees = (violations: Violation[]): GuaranteeId[] => [
  ...new Set(violations.map(({ guarantee }) => guarantee)),
]

const requireRun = ({ started }: Sent): string => {
  if (typeof started === 'string') throw new Error(`refused: ${started}`)
  return started.runId
}

/** Waits until the run has called the model, because a stop before that call ends the run immediately. */
const untilBegun = ({ services, world }: TestSystem, sent: Sent): Promise<true> =>
  eventually('the call of the model', async () => {
    const isCalled = services.requests.some(({ idempotencyKey }) => idempotencyKey.startsWith(requireRun(sent)))
    const running = await world.db`select 1 from runs where id = ${requireRun(sent)} and status = 'running'`
    return (isCalled && running.length > 0) || undefined
  })

const sendWords = ({ users, chat }: TestSystem, wordCount: number, pace?: number): Promise<Sent> =>
  users.send(chat, users.createPlan([{ words: wordCount }], pace))

test('a correct system has no violations', async () => {
  const detected = await detect({ commands: true }, async (system) => {
    const { users, chat } = system
    const call = { tool: 'effect', token: 'token-of-the-test', beforeMs: 0, afterMs: 0 } as const
    await (
      await users.send(chat, users.createPlan([{ words: 3, calls: [call] }, { words: 5 }]))
    ).done
    const stalled = await users.send(chat, users.createPlan([{ words: 3, faults: [{ kind: 'hang' }] }]))
    await untilBegun(system, stalled)
    await chat.client.stop(chat.chatId, requireRun(stalled))
    await stalled.done
    await chat.client.load(chat.sessionId, chat.chatId)
  })
  expect(detected).toEqual([])
})

test('the checker detects that G1 is broken when no worker runs an accepted run', async () => {
  const detected = await detect({ worker: false }, (system) => sendWords(system, 3))
  expect(listViolatedGuarantees(detected)).toContain('G1')
})

test('the checker detects that G2 is broken when neither slot nor index prevents a second run', async () => {
  const detected = await detect({}, async (system) => {
    const { world, chat } = system
    await world.db`drop index runs_live_chat`
    const first = await sendWords(system, 40, 20)
    await world.db`update chats set active_stream_id = null where id = ${chat.chatId}`
    const second = await sendWords(system, 5)
    await Promise.all([first.done, second.done])
  })
  expect(listViolatedGuarantees(detected)).toContain('G2')
})

test('the checker detects that G3 is broken when stored bytes change between two readings', async () => {
  const detected = await detect({}, async (system) => {
    const { world, users, chat } = system
    const sent = await sendWords(system, 5)
    await sent.done
    await world.db`
      update stream_chunk set body = replace(body, ':', ': ') where run_id = ${requireRun(sent)} and seq = 2`
    await (
      await users.send(chat, sent.plan, sent.idempotencyKey)
    ).done
  })
  expect(listViolatedGuarantees(detected)).toContain('G3')
})

test('the checker detects that G4 is broken when a log begins twice', async () => {
  const detected = await detect({}, async (system) => {
    await system.world.db.unsafe(`
      create function begin_again() returns trigger language plpgsql as $$
      begin
        if new.body like '{"type":"message-metadata"%' then new.body := '{"type":"start","messageId":"again"}'; end if;
        return new;
      end $$;
      create trigger begin_again before insert on stream_chunk for each row execute function begin_again();`)
    await (
      await sendWords(system, 5)
    ).done
  })
  expect(listViolatedGuarantees(detected)).toEqual(['G4'])
})

test('the checker detects that G5 is broken when a run is stopped without a request', async () => {
  const detected = await detect({}, async (system) => {
    const { world, chat } = system
    const sent = await sendWords(system, 100, 20)
    await untilBegun(system, sent)
    // The records contain no request for this stop.
    await world.db`update runs set stop_requested_at = now() where id = ${requireRun(sent)}`
    await world.engine.cancel(requireRun(sent))
    await sent.done
    await chat.client.load(chat.sessionId, chat.chatId)
  })
  expect(listViolatedGuarantees(detected)).toEqual(['G5'])
})

test('the checker detects that G6 is broken when the stored message is shorter than the message that was shown', async () => {
  const detected = await detect({}, async (system) => {
    await system.world.db.unsafe(`
      create function shorten() returns trigger language plpgsql as $$
      begin
        if new.part ->> 'type' = 'text' and new.part ->> 'state' = 'done' then
          new.part := jsonb_set(new.part::jsonb, '{text}', to_jsonb(left(new.part ->> 'text', 5)))::json;
        end if;
        return new;
      end $$;
      create trigger shorten before insert on chat_message_parts for each row execute function shorten();`)
    await (
      await sendWords(system, 5)
    ).done
  })
  expect(listViolatedGuarantees(detected)).toEqual(['G6'])
})

test('the checker detects that G7 is broken when a charge is booked twice', async () => {
  const detected = await detect({}, async (system) => {
    await system.world.db.unsafe(`
      create function charge_again() returns trigger language plpgsql as $$
      begin
        if new.kind = 'charge' and new.reference not like '%:again' then
          insert into credit_ledger (account_id, reference, kind, amount, balance_after)
          values (new.account_id, new.reference || ':again', new.kind, new.amount, new.balance_after);
        end if;
        return null;
      end $$;
      create trigger charge_again after insert on credit_ledger for each row execute function charge_again();`)
    await (
      await sendWords(system, 5)
    ).done
  })
  expect(listViolatedGuarantees(detected)).toEqual(['G7'])
})

test('the checker detects that G7 is broken when a step that has ended calls the model again', async () => {
  const detected = await detect({}, async (system) => {
    const sent = await sendWords(system, 5)
    await sent.done
    await new Promise((resolve) => setTimeout(resolve, 500))
    const headers = { 'content-type': 'application/json', 'idempotency-key': `${requireRun(sent)}:0:2` }
    const url = `${system.services.modelUrl}/chat/completions`
    await (await fetch(url, { method: 'POST', headers, body: '{"messages":[]}' })).text()
  })
  expect(listViolatedGuarantees(detected)).toEqual(['G7'])
})

test('the checker detects that G11 is broken when a stop is acknowledged and the work continues', async () => {
  const detected = await detect({ commands: true }, async (system) => {
    const { world, users, services, chat } = system
    // The row states that the run has ended, but its log, workflow and worker continue.
    await world.db.unsafe(`
      create function only_say_so() returns trigger language plpgsql as $$
      begin
        if new.stop_requested_at is not null and old.stop_requested_at is null then
          new.status := 'cancelled';
          new.end_reason := 'stopped';
          new.ended_at := now();
        end if;
        return new;
      end $$;
      create trigger only_say_so before update on runs for each row execute function only_say_so();
      create function stay_open() returns trigger language plpgsql as $$
      begin
        if new.state = 'stopping' then new.state := 'open'; end if;
        return new;
      end $$;
      create trigger stay_open before update on stream_head for each row execute function stay_open();`)
    const ignoringEngine = { ...world.engine, cancel: () => Promise.resolve() }
    world.deps.notifier = { ...world.deps.notifier, stop: () => {} }
    const call = { tool: 'effect', token: 'token-of-the-test', beforeMs: 0, afterMs: 0 } as const
    const sent = await users.send(chat, users.createPlan([{ words: 60, calls: [call] }, { words: 5 }], 20))
    await untilBegun(system, sent)
    await world.withEngine(ignoringEngine, () => chat.client.stop(chat.chatId, requireRun(sent)))
    await eventually('a model call after the stop', async () => services.requests[1])
  })
  expect(listViolatedGuarantees(detected)).toContain('G11')
})

test('the checker detects that G12 is broken when a deploy starts workers that cannot do the work', async () => {
  const detected = await detect({ worker: false, settings: { WORKER_GRACE_SECONDS: '1' } }, async (system) => {
    const { world, faults } = system
    const old = await startWorkerInProcess(world)
    const sent = await sendWords(system, 400, 20)
    await untilBegun(system, sent)
    const at = Date.now()
    const next = await startWorkerInProcess(world, { MODEL_BASE_URL: 'http://127.0.0.1:9/v1' })
    try {
      await old.stop()
      const evidence = 'the old worker has ended'
      faults.push({ kind: 'deploy', target: 'worker-1', at, until: Date.now(), observed: true, evidence })
      await sent.done
    } finally {
      await next.stop()
    }
  })
  expect(listViolatedGuarantees(detected)).toContain('G12')
})

test('the checker detects that G13 is broken when a rejection lacks Retry-After', async () => {
  // The start of the sandbox counts toward the limit.
  const settings = { RATE_LIMIT_STARTS_PER_MINUTE: '2' }
  const options = { commands: true, settings, startProxy: startProxyWithoutRetryAfter }
  const detected = await detect(options, async (system) => {
    await (
      await sendWords(system, 5)
    ).done
    const refused = sendWords(system, 5).catch(() => undefined)
    const { operations } = system.users.context
    await eventually('a rejection', async () => operations.find(({ status }) => status === 429))
    system.users.abort()
    await refused
  })
  expect(listViolatedGuarantees(detected)).toEqual(['G13'])
})

test('the checker detects that G17 is broken when the last waiting message is accepted first', async () => {
  const detected = await detect({}, async (system) => {
    const { world, users, chat } = system
    await world.db.unsafe(`
      create function turn_round() returns trigger language plpgsql as $$
      begin
        new.place := -new.place;
        return new;
      end $$;
      create trigger turn_round before insert or update of place on chat_queue for each row execute function turn_round();`)
    const first = await sendWords(system, 60, 60)
    const waiting: Awaited<ReturnType<typeof sendBusy>>[] = []
    for (let n = 0; n < 3; n++) waiting.push(await sendBusy(chat, users.createPlan([{ words: 3 }]), 'queue'))
    await first.done
    for (const message of waiting) await users.follow(chat, message)
  })
  expect(listViolatedGuarantees(detected)).toEqual(['G17'])
})
