import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { connectClient, engineAddress } from '../../engine/connect.ts'
import { actOn } from '../chat/turn.ts'
import type { OpenChat } from '../chat/turn.ts'
import { buildWith, guarded } from '../crash/cluster/builds.ts'
import { startWorkerProcess } from '../crash/processes.ts'
import { stageOf } from '../sandboxes/lifecycle/stage.ts'
import { paymentStories } from '../payments/stories.ts'
import { givenUpStory, mailStory } from '../mail/outbox.ts'
import { personalStories } from '../sandboxes/personal/stories.ts'
import { taskRunStories } from '../tasks/runs/stories.ts'
import { readTranscript } from '../world/transcript.ts'
import { createWorld, eventually } from '../world/world.ts'
import type { World, WorldOptions } from '../world/world.ts'
import { removeSandbox, watchSandbox } from '../../workflows/sandboxes/messages.ts'
import { prepareBase, extendSandbox } from '../../workflows/sandboxes/messages.ts'

/** Does what leads a workflow along one path; answers its id. */
type Story = (world: World, act: ReturnType<typeof actOn>) => Promise<string>

const runIdOf = (response: Response): string => response.headers.get('x-workflow-run-id') ?? ''

const turn =
  (content: string, during: (chat: OpenChat, world: World) => Promise<void> = async () => {}): Story =>
  async (world, act) => {
    const chat = await act.openChat()
    const response = await act.post(chat, content)
    const reading = readTranscript(response)
    await during(chat, world)
    await reading
    return runIdOf(response)
  }

/** Waits until the answer is being told. */
const untilTold = async (chat: OpenChat, world: World): Promise<void> => {
  await eventually('the step is open', async () => {
    const live = await readTranscript(await actOn(world).resume(chat), ({ frames }) => frames.length > 3)
    return live.frames.length > 3 || undefined
  })
}

/** Stops a turn that has changed a file. */
const stopAfterTool = async (chat: OpenChat, world: World): Promise<void> => {
  await readTranscript(await actOn(world).resume(chat), ({ frames }) =>
    frames.some(({ body }) => body.includes('tool-output-available')),
  )
  await actOn(world).stop(chat)
}

const stopIt = async (chat: OpenChat, world: World): Promise<void> => {
  await untilTold(chat, world)
  await actOn(world).stop(chat)
}

/** Takes the sandbox away before the tool of the step starts. */
const loseSandbox = async (chat: OpenChat, world: World): Promise<void> => {
  await untilTold(chat, world)
  await world.db`update sessions set sandbox_state = null where id = ${chat.sessionId}`
}

const archive = async (world: World, act: ReturnType<typeof actOn>): Promise<OpenChat> => {
  const chat = await act.openChat()
  const path = `/api/sessions/${chat.sessionId}`
  await world.request('PATCH', path, { key: chat.account.key, body: { status: 'archived' } })
  return chat
}

const ownerOf = async (world: World, sessionId: string): Promise<string> => {
  const [row] = await world.db<{ id: string }[]>`select account_id as id from sessions where id = ${sessionId}`
  return row?.id ?? ''
}

/** A long answer whose worker ends in the middle, and another one goes on. */
const handedOn =
  (end: 'kill' | 'stop', startFirst: (world: World) => ReturnType<typeof startWorkerProcess>): Story =>
  async (world, act) => {
    const workers = [await startFirst(world)]
    const runId = await turn('@words 60\n$ true', async (chat) => {
      await untilTold(chat, world)
      await workers.pop()?.[end]()
      workers.push(await startWorkerProcess(world))
    })(world, act)
    await eventually('the end', async () => (await world.engine.stateOf(runId)) === 'ended' || undefined)
    await workers.pop()?.stop()
    return runId
  }

const onOtherBuild = async (world: World) => startWorkerProcess(world, { WORKFLOW_BUNDLE: await buildWith(guarded) })

const stageFor = (world: World) => {
  const stage = stageOf(world)
  return {
    ...stage,
    hibernate: async (sessionId: string): Promise<string> => {
      await stage.passIdle(sessionId)
      await world.engine.start(watchSandbox, { sessionId: sessionId })
      return `sandbox:${sessionId}`
    },
  }
}

/** A run on a sandbox that is near its end, and then the end of both. */
const watchRun =
  (before: (world: World, chat: OpenChat) => Promise<void>): Story =>
  async (world, act) => {
    const stage = stageFor(world)
    const chat = await act.openChat()
    await before(world, chat)
    await world.db`update sessions set sandbox_expires_at = now() + interval '4 minutes' where id = ${chat.sessionId}`
    const response = await act.post(chat, '@stall')
    await eventually('a later end', async () => {
      const { sandboxExpiresAt } = await stage.rowOf(chat.sessionId)
      return (sandboxExpiresAt?.getTime() ?? 0) > Date.now() + 10 * 60_000 || undefined
    })
    await act.stop(chat)
    await response.body?.cancel()
    return stage.hibernate(chat.sessionId)
  }

const stopDriver = async (world: World, { sessionId }: OpenChat): Promise<void> => {
  const stage = stageFor(world)
  const { sandboxState } = await stage.rowOf(sessionId)
  if (sandboxState !== null) await (await (await stage.openDriver()).open(sandboxState)).stop()
}

const listExtensions = async (world: World): Promise<string[]> => {
  const engine = await connectClient(engineAddress(world.config, world.temporalAddress))
  try {
    const query = `TaskQueue = '${world.taskQueue}' and WorkflowType = '${extendSandbox.type}'`
    const found: string[] = []
    for await (const { workflowId } of engine.client.workflow.list({ query })) found.push(workflowId)
    return found
  } finally {
    await engine.close()
  }
}

const slow = { LOCAL_MODEL_WORDS_PER_SECOND: '20' }
const apart: WorldOptions = { worker: false, settings: { ...slow, WORKER_GRACE_SECONDS: '1' } }

/** Every path of every workflow type. A history that was recorded once stays: running workflows have it. */
export const stories: Record<string, { options?: WorldOptions; story: Story }> = {
  'ensure-workspace': {
    story: async (world, act) => `workspace:${await ownerOf(world, (await act.openChat()).sessionId)}`,
  },
  'provision-sandbox': { story: async (_, act) => `provision:${(await act.openChat()).sessionId}` },
  'prepare-base': {
    story: async (world, act) => {
      const { cloneUrl } = await stageOf(world).rowOf((await act.openChat()).sessionId)
      await world.engine.start(prepareBase, { cloneUrl: cloneUrl ?? '' })
      return `base:${cloneUrl}`
    },
  },
  'stop-sandbox': { story: async (world, act) => `stop-sandbox:${(await archive(world, act)).sessionId}` },
  'remove-sandbox': {
    story: async (world, act) => {
      const { account, sessionId } = await act.openChat()
      await world.request('DELETE', `/api/sessions/${sessionId}`, { key: account.key })
      await world.engine.start(removeSandbox, { sandboxName: `session-${sessionId}` })
      return `remove-sandbox:session-${sessionId}`
    },
  },
  'compute-diff': {
    story: async (world, act) => {
      const { account, sessionId } = await act.openChat()
      await world.request('GET', `/api/sessions/${sessionId}/diff`, { key: account.key })
      return `diff:${sessionId}`
    },
  },
  'turn-committed': { story: turn('$ echo recorded words > words.txt\n---\n@say recorded words') },
  'turn-stopped-after-tool': { story: turn('$ echo recorded words > words.txt\n---\n@stall', stopAfterTool) },
  'watch-hibernated': {
    options: { settings: { SANDBOX_IDLE_SECONDS: '2', SANDBOX_CHECK_SECONDS: '1' } },
    story: async (_, act) => `sandbox:${(await act.openChat()).sessionId}`,
  },
  'watch-extended': { story: watchRun(async () => {}) },
  'watch-resumed': { story: watchRun(stopDriver) },
  'watch-archived': {
    story: async (world, act) => {
      const { sessionId } = await archive(world, act)
      await world.engine.start(watchSandbox, { sessionId: sessionId })
      return `sandbox:${sessionId}`
    },
  },
  'probe-sandbox': {
    story: async (world, act) => {
      const chat = await act.openChat()
      await stageFor(world).ask('GET', 'reconnect', chat)
      return `probe:${chat.sessionId}`
    },
  },
  'extend-sandbox': {
    story: async (world, act) => {
      await stageFor(world).ask('POST', 'extend', await act.openChat())
      return eventually('the extension', async () => (await listExtensions(world))[0])
    },
  },
  ...paymentStories,
  ...personalStories,
  ...taskRunStories,
  'deliver-mail': { story: mailStory },
  'deliver-mail-given-up': { story: givenUpStory },
  'turn-plain': { story: turn('@say recorded words') },
  'turn-tools': { story: turn('$ echo recorded words\n$ echo two\n---\n@say recorded words') },
  'turn-retried': { story: turn('@cut 2\n@say recorded words') },
  'turn-sub-agents': {
    story: turn('@task $ echo recorded words\n@task @say recorded words\n---\n@say recorded words'),
  },
  'turn-sub-agent-failed': { story: turn('@task $ true ;; --- ;; @badrequest') },
  'turn-many-calls': { story: turn(`${'$ true\n'.repeat(20)}---\n@say recorded words`) },
  'turn-question': { story: turn('@ask recorded words? a | b') },
  'turn-failed': { story: turn('@badrequest') },
  'turn-stopped': { story: turn('@stall', stopIt) },
  'turn-stopped-in-tool': { story: turn('@say recorded words\n$ sleep 20', stopIt) },
  'turn-headless': {
    story: async (world) => {
      const { key } = await world.makeAccount()
      const body = { prompt: '@say recorded words' }
      const started = await world.request<{ runId: string }>('POST', '/api/chat/runs', { key, body })
      return started.body.runId
    },
  },
  'turn-tool-failed': {
    options: { settings: slow },
    story: turn('@say recorded words and some more of them to be told\n$ true', loseSandbox),
  },
  'turn-step-limit': { options: { settings: { STEP_LIMIT: '2' } }, story: turn('@loop') },
  'turn-time-limit': { options: { settings: { RUN_TIME_LIMIT_SECONDS: '1' } }, story: turn('@stall') },
  'turn-worker-lost': { options: apart, story: handedOn('kill', startWorkerProcess) },
  'turn-worker-left': { options: apart, story: handedOn('stop', startWorkerProcess) },
  'turn-restarted': { options: apart, story: handedOn('kill', onOtherBuild) },
}

const write = async (world: World, workflowId: string, path: string): Promise<void> => {
  const engine = await connectClient(engineAddress(world.config, world.temporalAddress))
  try {
    const handle = engine.client.workflow.getHandle(workflowId)
    await handle.result().catch(() => {})
    const json = historyToJSON(await handle.fetchHistory())
      .replaceAll(/"stackTrace": "(?:[^"\\]|\\.)*"/g, '"stackTrace": ""')
      .replaceAll(/"identity": "[^"]*"/g, '"identity": "recorder"')
      .replaceAll(/"name": "\d+@[^"]*"/g, '"name": "recorder"')
    await writeFile(path, `${json}\n`)
  } finally {
    await engine.close()
  }
}

/** Records the path of this name unless a history of it is there. */
export const record = async (folder: string, name: string): Promise<void> => {
  const path = join(folder, `${name}.json`)
  const recorded = stories[name]
  if (existsSync(path) || recorded === undefined) return
  const world = await createWorld(recorded.options)
  try {
    await write(world, await recorded.story(world, actOn(world)), path)
  } finally {
    await world.close()
  }
}
