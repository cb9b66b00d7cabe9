import { afterAll, beforeAll, expect, test } from 'vitest'
import { engineAddress } from '../../../engine/connect.ts'
import { createChatApi, repeatedWords, untilFound } from '../../chat/chat-api.ts'
import {
  listFaults,
  listFrames,
  readTranscript,
  shownText,
  listTypes,
  type Transcript,
} from '../../world/transcript.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { freePort } from '../../../dev/stack/ports.ts'
import { blockEventLoop } from '../faults/event-loop.ts'
import { startWorkerInProcess, startWorkerProcess, type Part } from '../processes.ts'
import { listRepetitions } from '../repetitions.ts'
import { whileLocked } from '../table-locks.ts'
import { markingCommand, untilCommandRan } from './ran.ts'

/** Key of the advisory lock at which a run waits before its second step. */
const secondStepGate = 4_021

let world: World
let chatApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { LOCAL_MODEL_WORDS_PER_SECOND: '60' } })
  chatApi = createChatApi(world)
})
afterAll(() => world.close())

test('after a worker is killed while a command runs, the command is not repeated, and its outcome is unknown', async () => {
  const doomed = await startWorkerProcess(world)
  const chat = await chatApi.openChat()
  const response = await chatApi.post(chat, `$ ${markingCommand}`)
  const reading = readTranscript(response)
  await untilCommandRan(world, chat)
  await doomed.kill()
  const survivor = await startWorkerInProcess(world)
  const transcript = await reading
  expect(listFaults(transcript)).toEqual([])
  const output = listFrames(transcript).find((frame) => frame.type === 'tool-output-available')?.['output']
  expect(output).toEqual({ success: false, error: 'interrupted, outcome unknown' })
  expect(listTypes(transcript).filter((type) => type === 'tool-output-available')).toHaveLength(1)
  const after = await chatApi.send(chat, '$ cat count.txt')
  expect(JSON.stringify(listFrames(after))).toContain('"stdout":"ran\\n"')
  await survivor.stop()
})

test('after a worker is killed between the effect and the result of a command, the receipt contains the result', async () => {
  const doomed = await startWorkerProcess(world)
  const chat = await chatApi.openChat()
  const response = await chatApi.post(chat, '$ sleep 2; echo ran >> count.txt; cat count.txt')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const reading = readTranscript(response)
  const findStarted = () => world.db`select 1 from run_tool_calls where run_id = ${runId} and started_at is not null`
  await untilFound('the command', findStarted)
  await whileLocked(
    world,
    'chat_message_parts',
    async (blocked) => {
      await blocked
      await doomed.kill()
    },
    'writers',
  )
  const survivor = await startWorkerInProcess(world)
  const transcript = await reading
  expect(listFaults(transcript)).toEqual([])
  const outputs = listFrames(transcript).filter((frame) => frame.type === 'tool-output-available')
  expect(outputs.map(({ output }) => output)).toMatchObject([{ success: true, stdout: 'ran\n' }])
  await survivor.stop()
})

/** While `work` runs, each run stops at the statement that opens its second step. */
const whileSecondStepWaits = async (work: (untilWaiting: () => Promise<unknown>) => Promise<void>): Promise<void> => {
  await world.db.begin(async (gate) => {
    await gate`select pg_advisory_xact_lock(${secondStepGate})`
    await work(() =>
      untilFound(
        'the statement that opens the second step',
        () =>
          world.db`select 1 from pg_locks where locktype = 'advisory' and objid = ${secondStepGate} and not granted`,
      ),
    )
  })
}

test('a tool call that starts when its model call ends and is lost with the worker has one output', async () => {
  await world.db.unsafe(`
    create function wait_at_gate() returns trigger language plpgsql security definer as $$
    begin
      if new.open_step = 1 then perform pg_advisory_xact_lock_shared(${secondStepGate}); end if;
      return new;
    end $$;
    create trigger wait_at_gate before update on stream_head for each row execute function wait_at_gate();`)
  const doomed = await startWorkerProcess(world)
  const chat = await chatApi.openChatWithoutCommands()
  const todos = [{ id: 'one', content: 'Call the label', status: 'pending' }]
  const response = await chatApi.post(chat, `@call todo ${JSON.stringify({ todos })}\n---\n@say listed`)
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const reading = readTranscript(response)
  await whileSecondStepWaits(async (untilWaiting) => {
    await untilWaiting()
    const calls =
      await world.db`select started_at is not null as started, ended_at from run_tool_calls where run_id = ${runId}`
    expect(calls).toEqual([{ started: true, endedAt: null }])
    await doomed.kill()
  })
  const survivor = await startWorkerInProcess(world)
  const transcript = await reading
  await world.db.unsafe('drop trigger wait_at_gate on stream_head; drop function wait_at_gate()')
  expect(listFaults(transcript)).toEqual([])
  expect(listTypes(transcript).filter((type) => type === 'tool-output-available')).toHaveLength(1)
  expect(shownText(transcript)).toBe('listed')
  expect(await world.db`select 1 from run_tool_calls where run_id = ${runId} and ended_at is not null`).toHaveLength(1)
  await survivor.stop()
})

/** Stalls a worker. Returns a function that lets it continue. */
type Stall = (part: Part, inspectorPort: number) => Promise<() => void>

test.each<[string, Stall]>([
  [
    'is suspended',
    async ({ pid }) => {
      process.kill(pid, 'SIGSTOP')
      return () => process.kill(pid, 'SIGCONT')
    },
  ],
  [
    // The native threads continue, so the worker still polls the engine and keeps its connections.
    'has a blocked event loop',
    ({ pid }, inspectorPort) => blockEventLoop(pid, inspectorPort),
  ],
])('a worker that %s during a response is replaced and starts nothing when it continues', async (_, stall) => {
  const inspectorPort = await freePort()
  const stalled = await startWorkerProcess(world, { NODE_OPTIONS: `--inspect-port=127.0.0.1:${inspectorPort}` })
  const chat = await chatApi.openChat()
  const response = await chatApi.post(chat, '@words 150\n$ echo ran >> count.txt; cat count.txt')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const reading = readTranscript(response)
  await readTranscript(await chatApi.resume(chat), ({ frames }) => frames.length >= 12)
  // The activity may start after the head start. The stall must interrupt the activity.
  await eventually('the activity of the turn', async () => {
    const held = await world.engine.listHeldActivities([runId], () => true)
    return held.length > 0 || undefined
  })
  const unstall = await stall(stalled, inspectorPort)
  const staying = await startWorkerInProcess(world)
  const transcript = await reading
  unstall()
  expect(listFaults(transcript)).toEqual([])
  const repetitions = await listRepetitions(engineAddress(world.config, world.temporalAddress), runId)
  expect(repetitions).toEqual(['WorkerLost'])
  expect(listTypes(transcript).filter((type) => type === 'data-retract')).toHaveLength(1)
  expect(JSON.stringify(listFrames(transcript))).toContain('"stdout":"ran\\n"')
  expect(await stalled.stop(), stalled.output()).toBe(0)
  expect(await world.db`select 1 from run_tool_calls where run_id = ${runId}`).toHaveLength(1)
  expect(JSON.stringify(listFrames(await chatApi.send(chat, '$ cat count.txt')))).toContain('"stdout":"ran\\n"')
  await staying.stop()
})

test.each<[string, { words: number; settings?: Record<string, string>; retractions: number }]>([
  ['completes a short answer', { words: 60, retractions: 0 }],
  ['leaves a long answer to another worker', { words: 240, settings: { WORKER_GRACE_SECONDS: '1' }, retractions: 1 }],
])('a worker that receives SIGTERM %s and exits', async (_, { words, settings, retractions }) => {
  const stoppingWorker = await startWorkerProcess(world, settings)
  const chat = await chatApi.openChat()
  const response = await chatApi.post(chat, `@words ${words}`)
  const reading = readTranscript(response)
  await readTranscript(await chatApi.resume(chat), ({ frames }) => frames.length >= 5)
  const staying = await startWorkerInProcess(world)
  expect(await stoppingWorker.stop()).toBe(0)
  expect(stoppingWorker.output()).not.toContain('Activity failed')
  const transcript = await reading
  expect(listFaults(transcript)).toEqual([])
  expect(listTypes(transcript).filter((type) => type === 'data-retract')).toHaveLength(retractions)
  expect(shownText(transcript)).toBe(repeatedWords(words))
  await staying.stop()
})

test('a worker whose work ignores the shutdown exits and leaves the work to another worker', async () => {
  const stoppingWorker = await startWorkerProcess(world, { WORKER_GRACE_SECONDS: '1' })
  const chat = await chatApi.openChatWithoutCommands()
  let reading: Promise<Transcript> | undefined
  await whileLocked(
    world,
    'run_steps',
    async (blocked) => {
      reading = chatApi.send(chat, '@say hello')
      await blocked
      expect(await stoppingWorker.stop(), stoppingWorker.output()).toBe(0)
      expect(stoppingWorker.output()).toContain('stopped with unfinished work')
    },
    'writers',
  )
  const staying = await startWorkerInProcess(world)
  const transcript = await reading!
  expect(listFaults(transcript)).toEqual([])
  expect(shownText(transcript)).toBe('hello')
  await staying.stop()
})
