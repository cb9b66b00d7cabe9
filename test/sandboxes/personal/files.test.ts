import { randomUUID } from 'node:crypto'
import { upload } from '@vercel/blob/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordSourceRepository } from '../../../db/sandboxes/snapshots.ts'
import { saveWorkspace } from '../../../db/sandboxes/sandboxes.ts'
import { personalRepositoryName } from '../../../domain/sandboxes/personal.ts'
import { createWorld, type TestAccount, type World } from '../../world/world.ts'
import { listPaths, createPersonalApi } from './personal-api.ts'

let world: World
let personalApi: ReturnType<typeof createPersonalApi>
beforeAll(async () => {
  world = await createWorld()
  personalApi = createPersonalApi(world)
  process.env['VERCEL_BLOB_API_URL'] = `${world.baseUrl}/blob`
  process.env['VERCEL_BLOB_RETRIES'] = '0'
})
afterAll(async () => {
  delete process.env['VERCEL_BLOB_API_URL']
  delete process.env['VERCEL_BLOB_RETRIES']
  await world.close()
})

/** Creates an account whose personal sandbox has a source repository. */
const makeOwner = async (): Promise<TestAccount> => {
  const owner = await world.makeAccount()
  const { cloneUrl } = await world.deps.codeHost.ensureRepository(personalRepositoryName(owner.id))
  await recordSourceRepository(world.db, owner.id, cloneUrl)
  return owner
}

const getRepository = (owner: TestAccount) => ({ owner: 'workspaces', name: personalRepositoryName(owner.id) })

const stageFile = async (owner: TestAccount, name: string, content: string | Buffer): Promise<string> => {
  const handleUploadUrl = `${world.baseUrl}/api/sandboxes/staged-file`
  const headers = { 'x-api-key': owner.key }
  return (await upload(name, content, { access: 'public', handleUploadUrl, headers })).url
}

type CommitResponse = { status: string; uploaded: { path: string; sha: string }[]; errors?: string[] }
const commit = (owner: TestAccount, body: object, headers?: Record<string, string>) =>
  world.request<CommitResponse>('POST', '/api/sandboxes/files', { key: owner.key, body, headers })

const isDeleted = async (url: string): Promise<boolean> =>
  (await world.deps.blobs.read(url, { maxBytes: 1e9 })) === undefined

const findHead = (owner: TestAccount) => world.deps.codeHost.findHead(getRepository(owner), 'main')

describe('POST /api/sandboxes/files', () => {
  it('commits each staged file to main and deletes it', async () => {
    const owner = await makeOwner()
    const urls = [
      await stageFile(owner, 'one.txt', 'first'),
      await stageFile(owner, 'two.bin', Buffer.from([0, 255, 1])),
    ]
    const files = urls.map((url, at) => ({ url, name: `${at}.dat` }))
    const response = await commit(owner, { files, path: 'music/demos', message: 'Add demos' })
    expect([response.status, response.body]).toEqual([
      200,
      {
        status: 'success',
        uploaded: [
          { path: 'music/demos/0.dat', sha: expect.stringMatching(/^[0-9a-f]{40}$/) },
          { path: 'music/demos/1.dat', sha: expect.stringMatching(/^[0-9a-f]{40}$/) },
        ],
      },
    ])
    expect(await Promise.all(urls.map(isDeleted))).toEqual([true, true])
    const { filetree } = (await personalApi.list(owner)).body
    expect(listPaths(filetree)).toEqual(['README.md', 'music', 'music/demos', 'music/demos/0.dat', 'music/demos/1.dat'])
    expect(filetree?.find(({ path }) => path === 'music/demos/0.dat')).toEqual({
      path: 'music/demos/0.dat',
      type: 'blob',
      sha: response.body.uploaded[0]?.sha,
      size: 5,
    })
  })

  it('replaces a file and states the reason for each failed file', async () => {
    const owner = await makeOwner()
    const url = await stageFile(owner, 'x', 'new')
    const deletedUrl = await stageFile(owner, 'y', 'gone')
    await world.deps.blobs.remove(deletedUrl)
    const files = [
      { url: deletedUrl, name: 'missing.txt' },
      { url, name: 'README.md' },
    ]
    const response = await commit(owner, { files })
    expect(response.body).toMatchObject({
      uploaded: [{ path: 'README.md' }],
      errors: ['missing.txt: the staged file does not exist'],
    })
    expect((await personalApi.readFile(owner, 'README.md')).body.content).toBe('new')
  })

  it('returns 500 if no file could be committed, and still deletes the staged files', async () => {
    const owner = await makeOwner()
    const url = await stageFile(owner, 'x', 'x')
    const response = await commit(owner, { files: [{ url, name: 'below-a-file' }], path: 'README.md' })
    expect([response.status, response.body]).toEqual([500, { status: 'error', error: 'All uploads failed' }])
    expect(await isDeleted(url)).toBe(true)
  })

  it('commits into the submodule of an organization that the account belongs to, and into no other submodule', async () => {
    const owner = await makeOwner()
    const organization = await world.makeOrganization({ members: [owner.id] })
    const foreign = await world.makeOrganization()
    const host = world.deps.codeHost
    for (const { id } of [organization, foreign]) {
      const { owner: repoOwner, name: repoName, cloneUrl } = await host.ensureRepository(id)
      await saveWorkspace(world.db, id, { repoOwner, repoName, cloneUrl })
    }
    const modules = [organization, foreign]
      .map(
        ({ id }) =>
          `[submodule "${id}"]\n\tpath = orgs/${id}\n\turl = ${world.config.baseUrl}/git/workspaces/${id}.git\n`,
      )
      .join('')
    await host.writeFile(getRepository(owner), {
      path: '.gitmodules',
      content: Buffer.from(modules),
      message: 'modules',
    })
    const files = [{ url: await stageFile(owner, 'x', 'inside'), name: 'plan.md' }]
    const response = await commit(owner, { files, path: `orgs/${organization.id}/plans` })
    expect(response.body.uploaded.map(({ path }) => path)).toEqual([`orgs/${organization.id}/plans/plan.md`])
    const inside = { owner: 'workspaces', name: organization.id }
    expect(await host.readFile(inside, 'plans/plan.md', { maxBytes: 100 })).toEqual(Buffer.from('inside'))
    expect((await personalApi.readFile(owner, `orgs/${organization.id}/plans/plan.md`)).body.content).toBe('inside')
    expect((await personalApi.readFile(owner, `orgs/${foreign.id}/README.md`)).status).toBe(404)
    const before = await host.findHead({ owner: 'workspaces', name: foreign.id }, 'main')
    await commit(owner, { files: [{ url: await stageFile(owner, 'x', 'x'), name: 'x' }], path: `orgs/${foreign.id}` })
    expect(await host.findHead({ owner: 'workspaces', name: foreign.id }, 'main')).toBe(before)
  })

  it('returns the same commits when an Idempotency-Key is repeated', async () => {
    const owner = await makeOwner()
    const body = { files: [{ url: await stageFile(owner, 'x', 'once'), name: 'once.txt' }] }
    const headers = { 'idempotency-key': randomUUID() }
    const first = await commit(owner, body, headers)
    const head = await findHead(owner)
    const second = await commit(owner, body, headers)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(second.body).toEqual(first.body)
    expect(await findHead(owner)).toBe(head)
    // Simulates an API that died before it stored its response.
    await world.db`delete from idempotency_keys where key = ${headers['idempotency-key']}`
    expect((await commit(owner, body, headers)).body).toEqual(first.body)
    expect(await findHead(owner)).toBe(head)
  })

  it('rejects files of other accounts or stores and unsafe paths or names, and commits nothing', async () => {
    const owner = await makeOwner()
    const outsider = await world.makeAccount()
    const ownUrl = await stageFile(owner, 'x', 'x')
    const foreignUrl = await stageFile(outsider, 'x', 'x')
    const head = await findHead(owner)
    const readRefusal = async (body: object) => {
      const { status, body: errorBody } = await commit(owner, body)
      // An error has fields that the declared response lacks.
      return [status, (errorBody as unknown as { missing_fields: unknown }).missing_fields]
    }
    const file = { url: ownUrl, name: 'x' }
    expect(await readRefusal({ files: [file, { url: foreignUrl, name: 'x' }] })).toEqual([400, ['files', 1, 'url']])
    expect(await readRefusal({ files: [{ url: 'http://169.254.169.254/', name: 'x' }] })).toEqual([
      400,
      ['files', 0, 'url'],
    ])
    for (const name of ['', '.', '..', 'a/b', '.git', '.GIT', 'a\\b', 'a\nb', 'x'.repeat(256)])
      expect([name, ...(await readRefusal({ files: [{ url: ownUrl, name }] }))]).toEqual([
        name,
        400,
        ['files', 0, 'name'],
      ])
    for (const path of ['/a', '../a', 'a/../b', 'a//b', 'a/', 'a\\b', 'a/.git/b', 'a\tb', '.'])
      expect([path, ...(await readRefusal({ files: [file], path }))]).toEqual([path, 400, ['path']])
    expect(await readRefusal({ files: [] })).toEqual([400, ['files']])
    expect(await readRefusal({ files: Array.from({ length: 101 }, () => file) })).toEqual([400, ['files']])
    expect(await readRefusal({ files: [file], message: 'a\nb' })).toEqual([400, ['message']])
    expect(await findHead(owner)).toBe(head)
    expect(await isDeleted(ownUrl)).toBe(false)
    expect(await isDeleted(foreignUrl)).toBe(false)
  })

  it('rejects an account without a repository and an account that the caller may not act for', async () => {
    const owner = await makeOwner()
    const newAccount = await world.makeAccount()
    const files = [{ url: await stageFile(newAccount, 'x', 'x'), name: 'x' }]
    const response = await commit(newAccount, { files })
    expect([response.status, response.body]).toEqual([
      404,
      { status: 'error', error: 'No source repository for this account' },
    ])
    expect((await commit(newAccount, { files, account_id: owner.id })).status).toBe(403)
  })
})

describe('GET /api/sandboxes/file', () => {
  it('returns text unchanged and other content as base64', async () => {
    const owner = await makeOwner()
    const host = world.deps.codeHost
    const put = (path: string, content: Buffer) => host.writeFile(getRepository(owner), { path, content, message: 'x' })
    await put('text.md', Buffer.from('größe'))
    await put('noise', Buffer.from([0xff, 0xfe]))
    await put('named.PNG', Buffer.from('text'))
    expect((await personalApi.readFile(owner, 'text.md')).body).toEqual({ status: 'success', content: 'größe' })
    expect((await personalApi.readFile(owner, 'noise')).body).toEqual({
      status: 'success',
      content: Buffer.from([0xff, 0xfe]).toString('base64'),
      encoding: 'base64',
    })
    expect((await personalApi.readFile(owner, 'named.PNG')).body.encoding).toBe('base64')
  })

  it('rejects files that are missing, too large or of another account, and unsafe paths', async () => {
    const owner = await makeOwner()
    const outsider = await world.makeAccount()
    const content = Buffer.alloc(5 * 1024 * 1024 + 1, 0x61)
    await world.deps.codeHost.writeFile(getRepository(owner), { path: 'large.txt', content, message: 'x' })
    expect((await personalApi.readFile(owner, 'large.txt')).status).toBe(413)
    const missing = await personalApi.readFile(owner, 'nothing.txt')
    expect([missing.status, missing.body]).toEqual([404, { status: 'error', error: 'File not found' }])
    expect((await personalApi.readFile(outsider, 'README.md')).status).toBe(404)
    for (const path of ['', '../x', '/etc/passwd', '.git/config', 'a//b'])
      expect([path, (await personalApi.readFile(owner, path)).status]).toEqual([path, 400])
    const foreign = await world.request('GET', `/api/sandboxes/file?path=README.md&account_id=${owner.id}`, {
      key: outsider.key,
    })
    expect(foreign.status).toBe(403)
  })
})
