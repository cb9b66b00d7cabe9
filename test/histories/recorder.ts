import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { connectClient, engineAddress } from '../../engine/connect.ts'
import { createChatApi, userMessage, type OpenChat } from '../chat/chat-api.ts'
import { chatScenarios } from '../chat/scenarios.ts'
import { buildWith, guarded } from '../crash/cluster/builds.ts'
import { startWorkerInProcess, startWorkerProcess } from '../crash/processes.ts'
import { createSandboxApi } from '../sandboxes/lifecycle/sandbox-api.ts'
import { paymentScenarios } from '../payments/scenarios.ts'
import { playAbandonedMail, playMail } from '../mail/outbox.ts'
import { personalScenarios } from '../sandboxes/personal/scenarios.ts'
import { taskRunScenarios } from '../tasks/runs/scenarios.ts'
import { measurementScenarios } from '../measurements/scenarios.ts'
import { contentScenarios } from '../content/scenarios.ts'
import { musicScenarios } from '../music/scenarios.ts'
import { scraperScenarios } from '../scrapers/scenarios.ts'
import { valuationScenarios } from '../valuation/scenarios.ts'
import { readTranscript } from '../world/transcript.ts'
import { createWorld, eventually, type World, type WorldOptions } from '../world/world.ts'
import { removeSandbox, watchSandbox, prepareBase, extendSandbox } from '../../workflows/sandboxes/messages.ts'
import { fetchEndedHistory } from './ended-history.ts'

/** Sends the requests that cause a workflow to take one path. Returns the workflow id. */
type Play = (world: World, chatApi: ReturnType<typeof createChatApi>) => Promise<string>

const readRunId = (response: Response): string => response.headers.get('x-workflow-run-id') ?? ''

const turn =
  (content: string, interact: (chat: OpenChat, world: World) => Promise<void> = async () => {}): Play =>
  async (world, chatApi) => {
    const chat = await chatApi.openChat()
    const response = await chatApi.post(chat, content)
    const reading = readTranscript(response)
    await interact(chat, world)
    await reading
    return readRunId(response)
  }

/** Plays a turn that is regenerated after its files are restored. */
const regenerated =
  (content: string): Play =>
  async (_, chatApi) => {
    const chat = await chatApi.openChat()
    const messages = [userMessage(content)]
    await chatApi.send(chat, content, { messages })
    const members = { editOf: messages[0]?.id, restoreFiles: true }
    const response = await chatApi.post(chat, '@say recorded words', { members })
    await readTranscript(response)
    return readRunId(response)
  }

/** Waits until the response is streaming. */
const untilStreaming = async (chat: OpenChat, world: World): Promise<void> => {
  await eventually('an open step', async () => {
    const live = await readTranscript(await createChatApi(world).resume(chat), ({ frames }) => frames.length > 3)
    return live.frames.length > 3 || undefined
  })
}

/** Stops a turn that has changed a file. */
const stopAfterTool = async (chat: OpenChat, world: World): Promise<void> => {
  await readTranscript(await createChatApi(world).resume(chat), ({ frames }) =>
    frames.some(({ body }) => body.includes('tool-output-available')),
  )
  await createChatApi(world).stop(chat)
}

const stopTurn = async (chat: OpenChat, world: World): Promise<void> => {
  await untilStreaming(chat, world)
  await createChatApi(world).stop(chat)
}

/** Removes the sandbox state before the step's tool starts. */
const loseSandbox = async (chat: OpenChat, world: World): Promise<void> => {
  await untilStreaming(chat, world)
  await world.db`update sessions set sandbox_state = null where id = ${chat.sessionId}`
}

const archive = async (world: World, chatApi: ReturnType<typeof createChatApi>): Promise<OpenChat> => {
  const chat = await chatApi.openChat()
  const path = `/api/sessions/${chat.sessionId}`
  await world.request('PATCH', path, { key: chat.account.key, body: { status: 'archived' } })
  return chat
}

const findOwner = async (world: World, sessionId: string): Promise<string> => {
  const [row] = await world.db<{ id: string }[]>`select account_id as id from sessions where id = ${sessionId}`
  return row?.id ?? ''
}

/** Plays a long turn whose worker ends, so that another worker continues the turn. */
const continuedElsewhere =
  (end: 'kill' | 'stop', startFirst: (world: World) => ReturnType<typeof startWorkerProcess>): Play =>
  async (world, chatApi) => {
    const workers = [await startFirst(world)]
    const survivors: Awaited<ReturnType<typeof startWorkerInProcess>>[] = []
    const runId = await turn('@words 60\n$ true', async (chat) => {
      await untilStreaming(chat, world)
      await workers.pop()?.[end]()
      survivors.push(await startWorkerInProcess(world))
    })(world, chatApi)
    await eventually('the end', async () => (await world.engine.readState(runId)) === 'ended' || undefined)
    await survivors.pop()?.stop()
    return runId
  }

const startOtherBuild = async (world: World) => startWorkerProcess(world, { WORKFLOW_BUNDLE: await buildWith(guarded) })

const createSandboxActions = (world: World) => {
  const sandboxApi = createSandboxApi(world)
  return {
    ...sandboxApi,
    hibernate: async (sessionId: string): Promise<string> => {
      await sandboxApi.passIdle(sessionId)
      await world.engine.start(watchSandbox, { sessionId: sessionId })
      return `sandbox:${sessionId}`
    },
  }
}

/** Plays a run on a sandbox that expires soon, then ends the run and hibernates the sandbox. */
const watchRun =
  (before: (world: World, chat: OpenChat) => Promise<void>): Play =>
  async (world, chatApi) => {
    const sandboxApi = createSandboxActions(world)
    const chat = await chatApi.openChat()
    await before(world, chat)
    await world.db`update sessions set sandbox_expires_at = now() + interval '4 minutes' where id = ${chat.sessionId}`
    const response = await chatApi.post(chat, '@stall')
    await eventually('a later expiry', async () => {
      const { sandboxExpiresAt } = await sandboxApi.requireRow(chat.sessionId)
      return (sandboxExpiresAt?.getTime() ?? 0) > Date.now() + 10 * 60_000 || undefined
    })
    await chatApi.stop(chat)
    await response.body?.cancel()
    return sandboxApi.hibernate(chat.sessionId)
  }

const stopDriver = async (world: World, { sessionId }: OpenChat): Promise<void> => {
  const sandboxApi = createSandboxActions(world)
  const { sandboxState } = await sandboxApi.requireRow(sessionId)
  if (sandboxState !== null) await (await (await sandboxApi.openDriver()).open(sandboxState)).stop()
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
const withoutWorker: WorldOptions = { worker: false, settings: { ...slow, WORKER_GRACE_SECONDS: '1' } }

/** Every path of every workflow type. A recorded history is never replaced: running workflows may have the same history. */
export const scenarios: Record<string, { options?: WorldOptions; play: Play }> = {
  'ensure-workspace': {
    play: async (world, chatApi) => `workspace:${await findOwner(world, (await chatApi.openChat()).sessionId)}`,
  },
  'provision-sandbox': { play: async (_, chatApi) => `provision:${(await chatApi.openChat()).sessionId}` },
  'prepare-base': {
    play: async (world, chatApi) => {
      const { cloneUrl } = await createSandboxApi(world).requireRow((await chatApi.openChat()).sessionId)
      await world.engine.start(prepareBase, { cloneUrl: cloneUrl ?? '' })
      return `base:${cloneUrl}`
    },
  },
  'stop-sandbox': { play: async (world, chatApi) => `stop-sandbox:${(await archive(world, chatApi)).sessionId}` },
  'remove-sandbox': {
    play: async (world, chatApi) => {
      const { account, sessionId } = await chatApi.openChat()
      await world.request('DELETE', `/api/sessions/${sessionId}`, { key: account.key })
      await world.engine.start(removeSandbox, { sandboxName: `session-${sessionId}` })
      return `remove-sandbox:session-${sessionId}`
    },
  },
  'compute-diff': {
    play: async (world, chatApi) => {
      const { account, sessionId } = await chatApi.openChat()
      await world.request('GET', `/api/sessions/${sessionId}/diff`, { key: account.key })
      return `diff:${sessionId}`
    },
  },
  'turn-committed': { play: turn('$ echo recorded words > words.txt\n---\n@say recorded words') },
  'turn-stopped-after-tool': { play: turn('$ echo recorded words > words.txt\n---\n@stall', stopAfterTool) },
  'watch-hibernated': {
    options: { settings: { SANDBOX_IDLE_SECONDS: '2', SANDBOX_CHECK_SECONDS: '1' } },
    play: async (_, chatApi) => `sandbox:${(await chatApi.openChat()).sessionId}`,
  },
  'watch-extended': { play: watchRun(async () => {}) },
  'watch-resumed': { play: watchRun(stopDriver) },
  'watch-archived': {
    play: async (world, chatApi) => {
      const { sessionId } = await archive(world, chatApi)
      await world.engine.start(watchSandbox, { sessionId: sessionId })
      return `sandbox:${sessionId}`
    },
  },
  'probe-sandbox': {
    play: async (world, chatApi) => {
      const chat = await chatApi.openChat()
      await createSandboxActions(world).sendRequest('GET', 'reconnect', chat)
      return `probe:${chat.sessionId}`
    },
  },
  'extend-sandbox': {
    play: async (world, chatApi) => {
      await createSandboxActions(world).sendRequest('POST', 'extend', await chatApi.openChat())
      return eventually('the extension', async () => (await listExtensions(world))[0])
    },
  },
  ...paymentScenarios,
  ...personalScenarios,
  ...taskRunScenarios,
  ...valuationScenarios,
  ...measurementScenarios,
  ...scraperScenarios,
  ...musicScenarios,
  ...contentScenarios,
  ...chatScenarios,
  'deliver-mail': { play: playMail },
  'deliver-mail-given-up': { play: playAbandonedMail },
  'turn-plain': { play: turn('@say recorded words') },
  'turn-tools': { play: turn('$ echo recorded words\n$ echo two\n---\n@say recorded words') },
  'turn-retried': { play: turn('@cut 2\n@say recorded words') },
  'turn-sub-agents': {
    play: turn('@task $ echo recorded words\n@task @say recorded words\n---\n@say recorded words'),
  },
  'turn-sub-agent-failed': { play: turn('@task $ true ;; --- ;; @badrequest') },
  'turn-many-calls': { play: turn(`${'$ true\n'.repeat(20)}---\n@say recorded words`) },
  'turn-question': { play: turn('@ask recorded words? a | b') },
  'turn-failed': { play: turn('@badrequest') },
  'turn-stopped': { play: turn('@stall', stopTurn) },
  'turn-stopped-in-tool': { play: turn('@say recorded words\n$ sleep 20', stopTurn) },
  'turn-restored': { play: regenerated('$ echo recorded words > words.txt') },
  'turn-not-restored': { play: regenerated('$ rm -rf .git/refs/heads && touch .git/refs/heads') },
  'turn-headless': {
    play: async (world) => {
      const { key } = await world.makeAccount()
      const body = { prompt: '@say recorded words' }
      const started = await world.request<{ runId: string }>('POST', '/api/chat/runs', { key, body })
      return started.body.runId
    },
  },
  'turn-tool-failed': {
    options: { settings: slow },
    play: turn('@say recorded words and some more that follow them\n$ true', loseSandbox),
  },
  'turn-step-limit': { options: { settings: { STEP_LIMIT: '2' } }, play: turn('@loop') },
  'turn-time-limit': { options: { settings: { RUN_TIME_LIMIT_SECONDS: '1' } }, play: turn('@stall') },
  'turn-worker-lost': { options: withoutWorker, play: continuedElsewhere('kill', startWorkerProcess) },
  'turn-worker-left': { options: withoutWorker, play: continuedElsewhere('stop', startWorkerProcess) },
  'turn-restarted': { options: withoutWorker, play: continuedElsewhere('kill', startOtherBuild) },
}

const writeHistory = async (world: World, workflowId: string, path: string): Promise<void> => {
  const engine = await connectClient(engineAddress(world.config, world.temporalAddress))
  try {
    const json = historyToJSON(await fetchEndedHistory(engine.client, workflowId))
      .replaceAll(/"stackTrace": "(?:[^"\\]|\\.)*"/g, '"stackTrace": ""')
      .replaceAll(/"identity": "[^"]*"/g, '"identity": "recorder"')
      .replaceAll(/"name": "\d+@[^"]*"/g, '"name": "recorder"')
    await writeFile(path, `${json}\n`)
  } finally {
    await engine.close()
  }
}

/** Records the history of the scenario with this name, unless it exists. */
export const record = async (folder: string, name: string): Promise<void> => {
  const path = join(folder, `${name}.json`)
  const scenario = scenarios[name]
  if (existsSync(path) || scenario === undefined) return
  const world = await createWorld(scenario.options)
  try {
    await writeHistory(world, await scenario.play(world, createChatApi(world)), path)
  } finally {
    await world.close()
  }
}
