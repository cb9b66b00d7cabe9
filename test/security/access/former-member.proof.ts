import { execFile } from 'node:child_process'
import { request as httpRequest } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSessionHost } from '../../../activities/repositories/access.ts'
import { acceptHeadless, promptMessage } from '../../../db/turns/headless.ts'
import { personOrigin } from '../../../domain/runs/origin.ts'
import type { CodeHostPort } from '../../../providers/code-host/index.ts'
import { createChatApi, type OpenChat } from '../../chat/chat-api.ts'
import { listFrames, readTranscript, type Transcript } from '../../world/transcript.ts'
import { readMetric } from '../../load/numbers.ts'
import { inBareRepository } from '../../world/repositories/bare-repository.ts'
import { createWorld, eventually, type TestAccount, type World } from '../../world/world.ts'
import { provisionSandbox } from '../../../workflows/sandboxes/messages.ts'

const execute = promisify(execFile)
const denied = 'Access denied to this organization'

/** Shell loop that ends when the remote returns 404. */
const untilNoRemote = `until [ "$(curl -s -o /dev/null -w '%{http_code}' "$PLATFORM_API_URL/git/workspaces/$PLATFORM_ORGANIZATION_ID.git/info/refs?service=git-upload-pack")" = 404 ]; do sleep 0.2; done`

const findResult = (transcript: Transcript): unknown =>
  listFrames(transcript).findLast(({ type }) => type === 'data-commit')?.['data']
const listOutputs = (transcript: Transcript): unknown[] =>
  listFrames(transcript)
    .filter(({ type }) => type === 'tool-output-available')
    .map(({ output }) => output)

type Fixture = {
  world: World
  chatApi: ReturnType<typeof createChatApi>
  host: CodeHostPort
  chat: OpenChat
  organizationId: string
  manager: TestAccount
}

const worlds = new Map<string, World>()
beforeAll(async () => {
  for (const provider of ['auto', 'just-bash'])
    worlds.set(provider, await createWorld({ settings: { SANDBOX_PROVIDER: provider } }))
})
afterAll(() => Promise.all([...worlds.values()].map((world) => world.close())))

/** Opens a chat whose running sandbox contains the repository of an organization. */
const openFixture = async (provider = 'auto'): Promise<Fixture> => {
  const world = worlds.get(provider)
  if (world === undefined) throw new Error('no such world')
  const [account, manager] = [await world.makeAccount(), await world.makeAccount()]
  const { id: organizationId } = await world.makeOrganization({ members: [account.id, manager.id] })
  const created = await world.request<{ session: { id: string }; chat: { id: string } }>('POST', '/api/sessions', {
    key: account.key,
    body: { organizationId },
  })
  const sessionId = created.body.session.id
  const sandboxResponse = await world.request('POST', '/api/sandbox', { key: account.key, body: { sessionId } })
  expect(sandboxResponse.status).toBe(200)
  const host = world.deps.codeHost
  const chat = { account, sessionId, chatId: created.body.chat.id }
  return { world, chatApi: createChatApi(world), host, chat, organizationId, manager }
}

const removeMember = async ({ world, chat, organizationId, manager }: Fixture): Promise<void> => {
  const path = `/api/organizations/members?organization_id=${organizationId}&account_id=${chat.account.id}`
  expect((await world.request('DELETE', path, { key: manager.key })).status).toBe(200)
}

const rejoin = async ({ world, chat, organizationId, manager }: Fixture): Promise<void> => {
  const body = { organization_id: organizationId }
  const invitation = { ...body, account_id: chat.account.id }
  await world.request('POST', '/api/organizations/members', { key: manager.key, body: invitation })
  const accepted = await world.request('POST', '/api/organizations/members/accept', { key: chat.account.key, body })
  expect(accepted.status).toBe(200)
}

const findHead = ({ host, organizationId }: Fixture) =>
  host.findHead({ owner: 'workspaces', name: organizationId }, 'main')

/** Sends a turn, calls `beforeRemoval` and removes the member while the first command runs. Returns the transcript. */
const sendAndRemove = async (fixture: Fixture, content: string, beforeRemoval = async (): Promise<void> => {}) => {
  const { world, chatApi, chat } = fixture
  const response = await chatApi.post(chat, content)
  expect(response.status).toBe(200)
  const reading = readTranscript(response)
  const runId = response.headers.get('x-workflow-run-id')
  await eventually('the first request of the command', async () => {
    const rows = await world.db`select 1 from account_api_keys where run_id = ${runId} and last_used is not null`
    return rows.length === 1 ? true : undefined
  })
  await beforeRemoval()
  await removeMember(fixture)
  return reading
}

describe('a removed member', () => {
  test.each(['auto', 'just-bash'])(
    'loses access to the remote immediately, pushes nothing and starts no turn with the driver %s',
    async (provider) => {
      const fixture = await openFixture(provider)
      const { world, chatApi } = fixture
      const before = await findHead(fixture)
      const transcript = await sendAndRemove(fixture, `$ echo mine > mine.txt; ${untilNoRemote}`)
      expect(listOutputs(transcript)).toMatchObject([{ success: true }])
      expect(findResult(transcript)).toMatchObject({ status: 'error', pushed: false, error: denied })
      expect(await findHead(fixture)).toBe(before)

      const { account, sessionId } = fixture.chat
      const turn = await chatApi.post(fixture.chat, '$ cat README.md')
      expect([turn.status, await turn.json()]).toMatchObject([403, { error: denied }])
      for (const path of ['/api/sandbox', '/api/sandbox/activity', '/api/sandbox/extend'])
        expect([path, await world.request('POST', path, { key: account.key, body: { sessionId } })]).toMatchObject([
          path,
          { status: 403, body: { error: denied } },
        ])
      const diff = await world.request('GET', `/api/sessions/${sessionId}/diff`, { key: account.key })
      expect(diff).toMatchObject({ status: 403, body: { error: denied } })

      await rejoin(fixture)
      expect(findResult(await chatApi.send(fixture.chat, '$ true'))).toMatchObject({ status: 'success', pushed: true })
      expect(await findHead(fixture)).not.toBe(before)
    },
  )

  test('cannot start or resume a sandbox with any request', async () => {
    const fixture = await openFixture()
    const { world, chatApi } = fixture
    const { account, sessionId } = fixture.chat
    const expire = async (): Promise<void> => {
      await world.db`update sessions set sandbox_expires_at = now() - interval '1 minute' where id = ${sessionId}`
    }
    const transcript = await sendAndRemove(fixture, `$ ${untilNoRemote}\n---\n$ cat README.md`, expire)
    expect(listOutputs(transcript)).toMatchObject([{ success: true }, { success: false, error: denied }])
    await expect(world.engine.join(provisionSandbox, { sessionId: sessionId }, 30_000)).rejects.toMatchObject({
      cause: { cause: { type: 'RepositoryDenied' } },
    })
    const queued = await world.db.begin((tx) =>
      acceptHeadless(tx, {
        accountId: account.id,
        title: 'Accepted while a member',
        organizationId: fixture.organizationId,
        artistId: null,
        origin: personOrigin('api'),
        modelId: 'local/assistant',
        messages: [promptMessage('$ cat README.md')],
      }),
    )
    const reading = readTranscript(await chatApi.resume({ account, ...queued }))
    await world.engine.startTurn(queued.runId, { headless: true })
    const ended = listFrames(await reading)
    expect(ended).toContainEqual({ type: 'error', errorText: denied })
    const [row] = await world.db<{ state: unknown }[]>`
      select sandbox_state as state from sessions where id = ${queued.sessionId}`
    expect(row?.state).toBeNull()
  })

  test('cannot complete a git request that began before the member was removed', async () => {
    const fixture = await openFixture()
    const { world, host, organizationId: name } = fixture
    const { account } = fixture.chat
    const repository = { owner: 'workspaces', name }
    await inBareRepository(world, repository, (bare) =>
      execute('git', ['-c', 'safe.directory=*', '-C', bare, 'branch', 'feature', 'main']),
    )
    const head = (await host.findHead(repository, 'feature')) ?? ''
    const line = `${head} ${'0'.repeat(40)} refs/heads/feature\0report-status`
    const bodies = {
      'upload-pack': '0014command=ls-refs\n0000',
      'receive-pack': `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`,
    }
    const beginRequest = (service: keyof typeof bodies) => {
      const body = Buffer.from(bodies[service])
      const sending = httpRequest(`${world.baseUrl}/git/workspaces/${name}.git/git-${service}`, {
        method: 'POST',
        headers: {
          'x-api-key': account.key,
          'content-type': `application/x-git-${service}-request`,
          'content-length': body.length,
          'git-protocol': 'version=2',
        },
      })
      sending.write(body.subarray(0, 10))
      const status = new Promise<number | undefined>((resolve, reject) => {
        sending.on('error', reject)
        sending.on('response', (response) => {
          response.resume()
          resolve(response.statusCode)
        })
      })
      return { status, finish: () => sending.end(body.subarray(10)) }
    }
    const requests = [beginRequest('upload-pack'), beginRequest('receive-pack')]
    await eventually('both requests', async () =>
      (await readMetric(world.metricsUrl, 'backline_receiving')) === 2 ? true : undefined,
    )
    await removeMember(fixture)
    for (const { status, finish } of requests) {
      finish()
      expect(await status).toBe(404)
    }
    expect(await host.findHead(repository, 'feature')).toBe(head)
    const member = await world.fetch('GET', `/git/workspaces/${name}.git/info/refs?service=git-upload-pack`, {
      key: fixture.manager.key,
    })
    expect(member.status).toBe(200)
    await member.body?.cancel()
  })

  test('cannot call any method of the code host, because access is checked before each call', async () => {
    const fixture = await openFixture()
    const { world, host } = fixture
    await removeMember(fixture)
    const calls: string[] = []
    const port = new Proxy(host, {
      get: (_, name: string) => () => {
        calls.push(name)
        return Readable.from([])
      },
    })
    const session = { ownerId: fixture.chat.account.id, organizationId: fixture.organizationId }
    const repository = { owner: 'workspaces', name: fixture.organizationId }
    const author = { name: 'a', email: 'a@example.com' }
    const listRequests = (codeHost: ReturnType<typeof createSessionHost>): (() => Promise<unknown>)[] => [
      () => buffer(codeHost.bundle(repository)),
      () => codeHost.readTree(repository),
      () => codeHost.findHead(repository, 'main'),
      () => codeHost.push(repository, 'main', Readable.from([])),
      () => codeHost.commitFiles(repository, { branch: 'main', base: 'x', files: [], message: 'm', author }),
    ]
    for (const request of listRequests(createSessionHost({ db: world.db, codeHost: port }, session)))
      await expect(request()).rejects.toMatchObject({ type: 'RepositoryDenied', nonRetryable: true })
    expect(calls).toEqual([])
    const ownSession = { ...session, organizationId: null }
    for (const request of listRequests(createSessionHost({ db: world.db, codeHost: port }, ownSession))) await request()
    expect(calls).toEqual(['bundle', 'readTree', 'findHead', 'push', 'commitFiles'])
  })
})
