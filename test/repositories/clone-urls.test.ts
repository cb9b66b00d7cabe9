import { pino } from 'pino'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startWorker } from '../../workers/run.ts'
import { createChatApi, type OpenChat } from '../chat/chat-api.ts'
import { listFaults, listFrames } from '../world/transcript.ts'
import { createWorld, type World } from '../world/world.ts'

let world: World
let chatApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  world = await createWorld()
  chatApi = createChatApi(world)
})
afterAll(() => world.close())

/** Starts another worker, which updates the clone URLs, and closes it. */
const startAnotherWorker = async (): Promise<void> => {
  const { config, baseUrl, applicationUrl: databaseUrl, temporalAddress, taskQueue } = world
  const worker = await startWorker({
    config: { ...config, apiUrl: baseUrl },
    databaseUrl,
    temporalAddress,
    taskQueue,
    workflowBundle: inject('built').workflowBundle,
    log: pino({ level: 'silent' }),
  })
  await worker.close()
}

const sendCommand = async (chat: OpenChat, command: string) => {
  const transcript = await chatApi.send(chat, `$ ${command}`)
  expect(listFaults(transcript)).toEqual([])
  return listFrames(transcript).filter(({ type }) => type === 'data-commit')
}

/** Replaces the prefix of the stored clone URLs. */
const replacePrefix = async (address: string): Promise<void> => {
  const { db, deps } = world
  const { cloneUrlPrefix = '' } = deps.codeHost
  await db`update sessions set clone_url = replace(clone_url, ${cloneUrlPrefix}, ${address})`
  await db`update workspace_repositories set clone_url = replace(clone_url, ${cloneUrlPrefix}, ${address})`
}

test('a session whose clone URL has an earlier BASE_URL can push after a worker has started', async () => {
  const chat = await chatApi.openChat()
  expect((await sendCommand(chat, 'echo one > file')).at(-1)?.data).toMatchObject({ status: 'success' })
  await replacePrefix('https://earlier.example.com/git/')
  await startAnotherWorker()
  expect((await sendCommand(chat, 'echo two > file')).at(-1)?.data).toMatchObject({ status: 'success' })
  const { body } = await world.request<{ session: { cloneUrl: string } }>('GET', `/api/sessions/${chat.sessionId}`, {
    key: chat.account.key,
  })
  expect(world.deps.codeHost.parseCloneUrl(body.session.cloneUrl)).toBeDefined()
})

test('an account whose repository is on another code host gets a repository on the current code host', async () => {
  const chat = await chatApi.openChat()
  await sendCommand(chat, 'echo one > file')
  await replacePrefix('https://github.com/organization/')
  await startAnotherWorker()
  const { account } = chat
  const { body } = await world.request<{ session: { id: string } }>('POST', '/api/sessions', {
    key: account.key,
    body: {},
  })
  await world.request('POST', '/api/sandbox', { key: account.key, body: { sessionId: body.session.id } })
  const [workspace] = await world.db<{ cloneUrl: string }[]>`
    select clone_url as "cloneUrl" from workspace_repositories where owner_id = ${account.id}`
  expect(world.deps.codeHost.parseCloneUrl(workspace?.cloneUrl ?? '')).toBeDefined()
})
