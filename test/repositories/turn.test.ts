import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CodeHostPort, RepositoryName } from '../../providers/code-host/index.ts'
import { createChatApi, userMessage, type OpenChat } from '../chat/chat-api.ts'
import { createFakeModel, type FakeModel } from '../world/models/fake-model.ts'
import { listFaults, listFrames, readTranscript, listTypes, type Transcript } from '../world/transcript.ts'
import { createWorld, eventually, type World } from '../world/world.ts'

let world: World
let model: FakeModel
let chatApi: ReturnType<typeof createChatApi>
let host: CodeHostPort
beforeAll(async () => {
  model = await createFakeModel()
  world = await createWorld({
    settings: { MODEL_BASE_URL: model.url, DEFAULT_MODEL: 'local/assistant', SMALL_MODEL: 'custom/small' },
  })
  chatApi = createChatApi(world)
  host = world.deps.codeHost
})
afterAll(async () => {
  await world.close()
  await model.close()
})

type Commit = { id: string; data: Record<string, unknown> }

const listCommits = (transcript: Transcript): Commit[] =>
  listFrames(transcript)
    .filter(({ type }) => type === 'data-commit')
    .map(({ id, data }) => ({ id: String(id), data: data as Record<string, unknown> }))

const readSession = async ({ account, sessionId }: OpenChat): Promise<Record<string, unknown>> => {
  const response = await world.request<{ session: Record<string, unknown> }>('GET', `/api/sessions/${sessionId}`, {
    key: account.key,
  })
  return response.body.session
}

const findRepository = async (chat: OpenChat): Promise<RepositoryName> => {
  const { repoOwner, repoName } = await readSession(chat)
  return { owner: String(repoOwner), name: String(repoName) }
}

const readContent = async (repository: RepositoryName, path: string): Promise<string | undefined> => {
  const content = await host.readFile(repository, path, { maxBytes: 10_000 })
  return content && Buffer.from(content).toString()
}

const get = (chat: OpenChat, path: string, key = chat.account.key) =>
  world.request('GET', `/api/sessions/${chat.sessionId}${path}`, { key })

describe('a turn that changed files', () => {
  test('is committed with a message from the small model and pushed before the turn finishes', async () => {
    const chat = await chatApi.openChat()
    model.next({ text: 'feat: add a report\n\nand more words' })
    const requestCount = model.requests.length
    const transcript = await chatApi.send(chat, '$ echo report > report.txt')
    expect(listFaults(transcript)).toEqual([])
    const [pending, result, ...rest] = listCommits(transcript)
    expect(rest).toEqual([])
    const messages = (await chatApi.load(chat)).messages
    const assistantMessage = messages[1]
    expect(pending).toEqual({
      id: `${assistantMessage?.id}:commit`,
      data: { status: 'pending', committed: false, pushed: false },
    })
    const repository = await findRepository(chat)
    const head = await host.findHead(repository, 'main')
    expect(result).toEqual({
      id: `${assistantMessage?.id}:commit`,
      data: {
        status: 'success',
        committed: true,
        pushed: true,
        commitMessage: 'feat: add a report',
        commitSha: head,
        url: `${world.config.consoleUrl}/commits/workspaces/${repository.name}/${head}`,
      },
    })
    expect(listTypes(transcript).slice(-4)).toEqual(['finish-step', 'data-commit', 'data-commit', 'finish'])
    expect(assistantMessage?.parts.at(-1)).toEqual({ type: 'data-commit', ...result })
    expect(assistantMessage?.parts.filter(({ type }) => type === 'data-commit')).toHaveLength(1)
    expect(await readContent(repository, 'report.txt')).toBe('report\n')
    expect(model.requests).toHaveLength(requestCount + 1)
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('+report')
    expect(model.requests.at(-1)?.body.tools).toBeUndefined()
  })

  test('stores the branch, the line counts and a current diff', async () => {
    const chat = await chatApi.openChat()
    await chatApi.send(chat, '$ seq 3 > numbers.txt; echo changed > README.md')
    expect(await readSession(chat)).toMatchObject({
      branch: 'main',
      isNewBranch: false,
      linesAdded: 4,
      linesRemoved: 3,
    })
    const { status, body } = await get(chat, '/diff/cached')
    expect(status).toBe(200)
    expect(body).toMatchObject({ isStale: false, data: { summary: { totalFiles: 2 } } })
    const { body: tree } = await get(chat, '/files')
    expect(tree).toMatchObject({
      isTruncated: false,
      entries: [{ path: 'README.md' }, { path: 'numbers.txt', size: 6 }],
    })
    const read = (path: string) => get(chat, `/files/content?path=${path}`)
    expect((await read('numbers.txt')).body).toEqual({ content: '1\n2\n3\n', encoding: 'utf-8' })
    expect((await read('absent.txt')).status).toBe(404)
    expect((await read('../x')).status).toBe(400)
    const { body: history } = await get(chat, '/files/history?path=numbers.txt')
    expect(history).toMatchObject({ commits: [{ sha: (tree as { commit: string }).commit, url: expect.any(String) }] })
    await chatApi.send(chat, '$ cat numbers.txt')
    expect((await get(chat, '/diff/cached')).body).toMatchObject({ isStale: false })
    await chatApi.send(chat, '@say plain words')
    expect((await get(chat, '/diff/cached')).body).toMatchObject({
      isStale: true,
      data: { summary: { totalFiles: 2 } },
    })
  })

  test('is committed with a default message if the model fails or returns no usable message', async () => {
    const chat = await chatApi.openChat()
    model.next({ text: 'I will not write a commit message.' })
    const first = await chatApi.send(chat, '$ echo 1 > one.txt')
    expect(listCommits(first)[1]?.data).toMatchObject({ status: 'success', commitMessage: 'chore: update workspace' })
    model.next({ status: 500, body: '{}' })
    const second = await chatApi.send(chat, '$ echo 2 > two.txt')
    expect(listCommits(second)[1]?.data).toMatchObject({ status: 'success', commitMessage: 'chore: update workspace' })
  })

  test('is charged for its model calls, but not for the commit message', async () => {
    const chat = await chatApi.openChat()
    const response = await chatApi.post(chat, '$ echo x > charged.txt')
    const runId = response.headers.get('x-workflow-run-id') ?? ''
    expect(listCommits(await readTranscript(response))).toHaveLength(2)
    const rows = await world.db<{ reference: string }[]>`
      select reference from credit_ledger where reference like ${`chat:${runId}:%`}`
    expect(rows.map(({ reference }) => reference)).toEqual([`chat:${runId}:main:local/assistant`])
  })
})

test('a turn reports the paths that it cannot commit, and a turn without new changes does not report them again', async () => {
  const chat = await chatApi.openChat()
  const leftOut = { count: 1, paths: [{ path: 'secret', reason: 'unreadable' }] }
  const first = listCommits(await chatApi.send(chat, '$ echo x > secret; chmod 000 secret'))
  expect(first[1]?.data).toEqual({ status: 'skipped', committed: false, pushed: false, leftOut })
  expect(listCommits(await chatApi.send(chat, '$ ls'))).toEqual([])
  const last = listCommits(await chatApi.send(chat, '$ git init -q empty; git init -q nested; echo x > nested/x'))
  expect(last[1]?.data).toMatchObject({ status: 'success', pushed: true, leftOut })
  expect((await chatApi.load(chat)).messages.at(-1)?.parts.at(-1)).toMatchObject({ data: { leftOut } })
  expect(await readContent(await findRepository(chat), 'nested/x')).toBe('x\n')
})

test('a turn without changes creates no commit, and after a turn without tools the working tree is not inspected', async () => {
  const chat = await chatApi.openChat()
  const before = await host.findHead(await findRepository(chat), 'main')
  expect(listCommits(await chatApi.send(chat, '$ ls'))).toEqual([])
  expect(listCommits(await chatApi.send(chat, '@say hello'))).toEqual([])
  expect(await host.findHead(await findRepository(chat), 'main')).toBe(before)
})

test('the changes of a stopped turn are committed by the next completed turn', async () => {
  const chat = await chatApi.openChat()
  const before = await host.findHead(await findRepository(chat), 'main')
  const response = await chatApi.post(chat, '$ echo left > left.txt\n---\n@stall')
  const reading = readTranscript(response)
  await eventually('the file', async () => {
    const partial = await readTranscript(await chatApi.resume(chat), ({ frames }) =>
      frames.some(({ body }) => body.includes('tool-output-available')),
    )
    return partial.done ? undefined : true
  })
  await chatApi.stop(chat)
  expect(listCommits(await reading)).toEqual([])
  expect(await host.findHead(await findRepository(chat), 'main')).toBe(before)
  await eventually('the diff', async () => ((await readSession(chat))['linesAdded'] === 1 ? true : undefined))
  expect(listCommits(await chatApi.send(chat, '@say hello'))[1]?.data).toMatchObject({
    status: 'success',
    pushed: true,
  })
  expect(await readContent(await findRepository(chat), 'left.txt')).toBe('left\n')
})

test('a turn that cannot have changed files does not look for changes', async () => {
  const chat = await chatApi.openChat()
  const readCommits = () => world.db`select state from turn_commits where session_id = ${chat.sessionId}`
  expect(listFaults(await chatApi.send(chat, '@call todo {"todos":[]}\n@call glob {"pattern":"*"}'))).toEqual([])
  expect(await readCommits()).toEqual([])
  expect(listFaults(await chatApi.send(chat, '$ true'))).toEqual([])
  expect(await readCommits()).toEqual([{ state: 'clean' }])
})

test('a stop during the commit ends the turn, and the stream reports that the commit failed', async () => {
  const chat = await chatApi.openChat()
  const before = await host.findHead(await findRepository(chat), 'main')
  model.next({ delayMs: Infinity })
  const response = await chatApi.post(chat, '$ echo x > x.txt')
  const reading = readTranscript(response)
  await eventually('the pending commit', async () => {
    const rows = await world.db`select 1 from turn_commits where session_id = ${chat.sessionId} and state = 'pending'`
    return rows.length === 1 ? true : undefined
  })
  expect((await chatApi.stop(chat)).status).toBe(200)
  const transcript = await reading
  expect(listFaults(transcript)).toEqual([])
  expect(listCommits(transcript)[1]?.data).toEqual({
    status: 'error',
    committed: false,
    pushed: false,
    error: 'Commit failed',
  })
  expect(listTypes(transcript).slice(-3)).toEqual(['data-commit', 'abort', 'finish'])
  expect((await chatApi.load(chat)).messages[1]?.parts.at(-1)).toMatchObject({ data: { error: 'Commit failed' } })
  expect(await host.findHead(await findRepository(chat), 'main')).toBe(before)
})

test('after a conflict with the remote, the turn reports it and completes, and the commit stays in the sandbox', async () => {
  const chat = await chatApi.openChat()
  const repository = await findRepository(chat)
  await host.writeFile(repository, { path: 'README.md', content: Buffer.from('theirs\n'), message: 'Theirs' })
  const response = await chatApi.post(chat, '$ echo mine > README.md')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const transcript = await readTranscript(response)
  expect(listCommits(transcript)[1]?.data).toMatchObject({
    status: 'error',
    committed: true,
    pushed: false,
    error: 'Push failed',
  })
  expect(await chatApi.runStatus(chat.account, runId)).toBe('completed')
  expect(await readContent(repository, 'README.md')).toBe('theirs\n')
  // The next turn resolves the conflict, and both commits are pushed at its end.
  const bundle = (await buffer(host.bundle(repository))).toString('base64')
  const resolved = await chatApi.send(
    chat,
    `$ echo ${bundle} | base64 -d > ~/b && git fetch -q ~/b main && git merge -q -X ours -m merge FETCH_HEAD; rm ~/b`,
  )
  expect(listCommits(resolved)[1]?.data).toMatchObject({ status: 'success', committed: false, pushed: true })
  expect(await readContent(repository, 'README.md')).toBe('mine\n')
})

test('two turns of one session that end concurrently lose no file', async () => {
  const chat = await chatApi.openChat()
  const created = await world.request<{ chat: { id: string } }>('POST', `/api/sessions/${chat.sessionId}/chats`, {
    key: chat.account.key,
    body: {},
  })
  const other = { ...chat, chatId: created.body.chat.id }
  const transcripts = await Promise.all([
    chatApi.send(chat, '$ echo 1 > first.txt', { messages: [userMessage('$ echo 1 > first.txt')] }),
    chatApi.send(other, '$ echo 2 > second.txt'),
  ])
  expect(transcripts.map(listFaults)).toEqual([[], []])
  await chatApi.send(chat, '$ echo 3 > third.txt')
  const repository = await findRepository(chat)
  expect(await readContent(repository, 'first.txt')).toBe('1\n')
  expect(await readContent(repository, 'second.txt')).toBe('2\n')
  expect(await readContent(repository, 'third.txt')).toBe('3\n')
})

test('a branch that a session creates and pushes is recorded as its new branch', async () => {
  const chat = await chatApi.openChat()
  await chatApi.send(chat, '$ git checkout -q -b feature/song; echo la > song.txt')
  expect(await readSession(chat)).toMatchObject({ branch: 'feature/song', isNewBranch: true })
  await chatApi.send(chat, '$ git checkout -q main')
  expect(await readSession(chat)).toMatchObject({ branch: 'main', isNewBranch: false })
})

describe('the diff of a session', () => {
  test('is computed on demand and stored', async () => {
    const chat = await chatApi.openChat()
    expect(await get(chat, '/diff/cached')).toMatchObject({
      status: 404,
      body: { status: 'error', error: 'No cached diff available' },
    })
    const empty = await get(chat, '/diff')
    expect([empty.status, empty.body]).toMatchObject([200, { files: [], summary: { totalFiles: 0 } }])
    const transcript = await chatApi.send(chat, '@ask Which one? a | b')
    expect(listCommits(transcript)).toEqual([])
    expect((await get(chat, '/diff/cached')).body).toMatchObject({ isStale: true })
  })

  test('is returned only to the owner, and only for an active sandbox', async () => {
    const chat = await chatApi.openChat()
    const outsider = await world.makeAccount()
    for (const path of ['/diff', '/diff/cached']) {
      expect(await get(chat, path, outsider.key)).toMatchObject({ status: 403, body: { error: 'Forbidden' } })
      const absent = { ...chat, sessionId: chat.chatId }
      expect(await get(absent, path)).toMatchObject({ status: 404, body: { error: 'Session not found' } })
    }
    await world.request('PATCH', `/api/sessions/${chat.sessionId}`, {
      key: chat.account.key,
      body: { status: 'archived' },
    })
    expect(await get(chat, '/diff')).toMatchObject({ status: 400, body: { error: 'Sandbox not initialized' } })
  })

  test('returns 502 without a reason if it cannot be computed', async () => {
    const chat = await chatApi.openChat()
    await world.db`update sessions set sandbox_state = null where id = ${chat.sessionId}`
    expect(await get(chat, '/diff')).toMatchObject({
      status: 502,
      body: { status: 'error', error: 'Diff could not be computed' },
    })
  })
})
