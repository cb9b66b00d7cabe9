import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChatApi, type OpenChat } from '../../chat/chat-api.ts'
import { createFakeModel, type FakeModel } from '../../world/models/fake-model.ts'
import { createFakeGithub, fakeOrganization, fakeToken, type FakeGithub } from '../../providers/vendors/github.ts'
import { listFaults, listFrames, readTranscript, type Transcript } from '../../world/transcript.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { startWorkerProcess } from '../processes.ts'

let folder: string
let github: FakeGithub
let model: FakeModel
let world: World
let chatApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backline-commit-'))
  github = await createFakeGithub(folder)
  model = await createFakeModel()
  world = await createWorld({
    worker: false,
    settings: { MODEL_BASE_URL: model.url, DEFAULT_MODEL: 'local/assistant' },
  })
  chatApi = createChatApi(world)
})
afterAll(async () => {
  await world.close()
  await model.close()
  await github.close()
  await rm(folder, { recursive: true, force: true })
})

const startWorker = () =>
  startWorkerProcess(world, {
    CODE_HOST: 'github',
    GITHUB_API_URL: github.apiUrl,
    GITHUB_ORGANIZATION: fakeOrganization,
    GITHUB_TOKEN: fakeToken,
    DEFAULT_MODEL: 'local/assistant',
    SMALL_MODEL: 'custom/small',
  })

const listResults = (transcript: Transcript): unknown[] =>
  listFrames(transcript)
    .filter(({ type }) => type === 'data-commit')
    .map(({ data }) => data)

/** Lists the subjects of the commits of a workspace, latest first. */
const listCommits = ({ account }: OpenChat): string[] =>
  execFileSync('git', ['log', '--format=%s', 'main'], {
    cwd: join(folder, 'github', fakeOrganization, `${account.id}.git`),
    env: { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', HOME: folder },
  })
    .toString()
    .trim()
    .split('\n')

test('after a worker is killed between commit and push, another worker pushes the commit once', async () => {
  const doomed = await startWorker()
  const chat = await chatApi.openChat()
  const release = github.holdPushes()
  model.next({ text: 'feat: add a song' })
  const reading = readTranscript(await chatApi.post(chat, '$ echo la > song.txt'))
  await eventually(
    'the push',
    async () =>
      github.requests.some(({ method, path }) => method === 'POST' && path.endsWith('/git-receive-pack')) || undefined,
    60_000,
  )
  await doomed.kill()
  const survivor = await startWorker()
  release()
  const transcript = await reading
  expect(listFaults(transcript)).toEqual([])
  expect(listResults(transcript)).toMatchObject([
    { status: 'pending' },
    { status: 'success', committed: true, pushed: true, commitMessage: 'feat: add a song' },
  ])
  expect(listCommits(chat)).toEqual(['feat: add a song', 'Initial commit'])
  await survivor.stop()
})

test('after a worker is killed while it requests the commit message, another worker requests it and commits once', async () => {
  const doomed = await startWorker()
  const chat = await chatApi.openChat()
  model.next({ delayMs: Infinity }, { text: 'feat: add a verse' })
  const requestCount = model.requests.length
  const reading = readTranscript(await chatApi.post(chat, '$ echo la > verse.txt'))
  await eventually('the request for the commit message', async () =>
    model.requests.length > requestCount ? true : undefined,
  )
  await doomed.kill()
  const survivor = await startWorker()
  const transcript = await reading
  expect(listFaults(transcript)).toEqual([])
  expect(listResults(transcript)).toHaveLength(2)
  expect(listCommits(chat)).toEqual(['feat: add a verse', 'Initial commit'])
  const clean = await chatApi.send(chat, '$ git status --porcelain; git log --format=%s')
  expect(listResults(clean)).toEqual([])
  expect(JSON.stringify(listFrames(clean))).toContain('feat: add a verse')
  expect(
    JSON.stringify(listFrames(await chatApi.send(chat, '$ env; git config --list; cat .git/config'))),
  ).not.toContain(fakeToken)
  await survivor.stop()
})
