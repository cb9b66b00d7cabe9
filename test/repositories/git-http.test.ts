import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { saveWorkspace } from '../../db/sandboxes/sandboxes.ts'
import type { CodeHostPort, RepositoryName } from '../../providers/code-host/index.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'

const execute = promisify(execFile)

let world: World
let host: CodeHostPort
let owner: TestAccount
let outsider: TestAccount
let repository: RepositoryName
let folder: string

const createRepository = async (ownerId: string): Promise<RepositoryName> => {
  const created = await host.ensureRepository(ownerId)
  await saveWorkspace(world.db, ownerId, {
    repoOwner: created.owner,
    repoName: created.name,
    cloneUrl: created.cloneUrl,
  })
  return created
}

beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { GIT_PUSH_MEGABYTES: '2' } })
  host = world.deps.codeHost
  owner = await world.makeAccount()
  outsider = await world.makeAccount()
  repository = await createRepository(owner.id)
  folder = await mkdtemp(join(tmpdir(), 'backline-git-'))
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

/** Runs git without the configuration of the machine. Returns stdout and stderr. */
const git = async (cwd: string, ...args: string[]): Promise<string> => {
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'Person',
    GIT_AUTHOR_EMAIL: 'person@example.com',
    GIT_COMMITTER_NAME: 'Person',
    GIT_COMMITTER_EMAIL: 'person@example.com',
  }
  const { stdout, stderr } = await execute('git', args, { cwd, env, timeout: 60_000 })
  return stdout + stderr
}

const buildUrl = ({ owner: space, name }: RepositoryName, key?: string): string => {
  const url = new URL(`${world.baseUrl}/git/${space}/${name}.git`)
  if (key !== undefined) Object.assign(url, { username: 'x', password: key })
  return url.href
}

let serial = 0
const clone = async (key: string, from = repository, ...options: string[]): Promise<string> => {
  const tree = join(folder, `tree-${++serial}`)
  await git(folder, 'clone', '--quiet', ...options, buildUrl(from, key), tree)
  return tree
}

const commit = async (tree: string, path: string, content: string | Uint8Array): Promise<string> => {
  await writeFile(join(tree, path), content)
  await git(tree, 'add', '-A')
  await git(tree, 'commit', '--quiet', '-m', `Write ${path}`)
  return (await git(tree, 'rev-parse', 'HEAD')).trim()
}

const sendRequest = (path: string, sent: Parameters<World['request']>[2] = {}, method = 'GET') =>
  world.request(method, `/git/${repository.owner}/${repository.name}.git/${path}`, sent)

describe('git over HTTP', () => {
  test('clones, fetches and pushes with an API key as the password', async () => {
    const tree = await clone(owner.key)
    expect(await readFile(join(tree, 'README.md'), 'utf8')).toContain('Workspace')
    const head = await commit(tree, 'song.txt', 'la la\n')
    await git(tree, 'push', '--quiet', 'origin', 'main')
    expect(await host.findHead(repository, 'main')).toBe(head)
    const other = await clone(owner.key, repository, '--depth', '1', '--filter=blob:none')
    expect(await readFile(join(other, 'song.txt'), 'utf8')).toBe('la la\n')
    await git(other, 'push', '--quiet', 'origin', 'HEAD:refs/heads/feature/x', 'HEAD:refs/tags/v1')
    await git(tree, 'fetch', '--quiet')
    expect(await git(tree, 'branch', '--remotes')).toContain('origin/feature/x')
    await git(tree, 'push', '--quiet', 'origin', ':feature/x')
    expect(await host.findHead(repository, 'feature/x')).toBeUndefined()
  })

  test('accepts an API key as x-api-key or bearer token, with every protocol version', async () => {
    for (const header of [`x-api-key: ${owner.key}`, `Authorization: Bearer ${owner.key}`])
      for (const version of ['0', '1', '2'])
        expect(
          await git(
            folder,
            '-c',
            `http.extraHeader=${header}`,
            '-c',
            `protocol.version=${version}`,
            'ls-remote',
            buildUrl(repository),
          ),
        ).toContain('refs/heads/main')
  })

  test('accepts a push of many objects, whether its request is compressed or not', async () => {
    const tree = await clone(owner.key)
    await mkdir(join(tree, 'many'))
    for (let at = 0; at < 300; at++) await writeFile(join(tree, 'many', `${at}.txt`), `${at}\n`.repeat(at))
    const head = await commit(tree, 'many/last.txt', 'last')
    await git(tree, '-c', 'http.postBuffer=1000', 'push', '--quiet', 'origin', 'main')
    expect(await host.findHead(repository, 'main')).toBe(head)
    const repeated = await clone(owner.key)
    expect(await readdir(join(repeated, 'many'))).toHaveLength(301)
  })

  test('rejects moving a branch backwards, deleting main, and refs that are neither branch nor tag', async () => {
    const tree = await clone(owner.key)
    const head = await commit(tree, 'a', 'a')
    await git(tree, 'push', '--quiet')
    await expect(git(tree, 'push', '--force', 'origin', 'HEAD~1:main')).rejects.toThrow('denying non-fast-forward')
    await expect(git(tree, 'push', 'origin', ':main')).rejects.toThrow('deletion of the current branch')
    await expect(git(tree, 'push', 'origin', 'HEAD:refs/hidden/x')).rejects.toThrow('hidden')
    expect(await host.findHead(repository, 'main')).toBe(head)
  })

  test('rejects objects that would damage a checkout', async () => {
    const tree = await clone(owner.key)
    const before = await host.findHead(repository, 'main')
    const blob = (await git(tree, 'hash-object', '-w', 'README.md')).trim()
    const entry = Buffer.concat([Buffer.from('100644 .git\0'), Buffer.from(blob, 'hex')])
    await writeFile(join(tree, '.git', 'entry'), entry)
    const hash = (await git(tree, 'hash-object', '-t', 'tree', '-w', '--literally', '.git/entry')).trim()
    const hostile = (await git(tree, 'commit-tree', hash, '-p', 'HEAD', '-m', 'hostile')).trim()
    await expect(git(tree, 'push', 'origin', `${hostile}:refs/heads/main`)).rejects.toThrow(/fsck|hasDotgit|unpack/)
    expect(await host.findHead(repository, 'main')).toBe(before)
  })

  test('runs no hook', async () => {
    const bareRepository = join(world.config.DATA_DIR, 'repositories', repository.owner, `${repository.name}.git`)
    await mkdir(join(bareRepository, 'hooks'), { recursive: true })
    for (const hook of ['pre-receive', 'update', 'post-receive', 'post-update'])
      await writeFile(join(bareRepository, 'hooks', hook), `#!/bin/sh\ntouch ${folder}/ran-${hook}\nexit 1\n`, {
        mode: 0o755,
      })
    const tree = await clone(owner.key)
    await commit(tree, 'hooked', 'x')
    await git(tree, 'push', '--quiet')
    expect((await readdir(folder)).filter((name) => name.startsWith('ran-'))).toEqual([])
    await rm(join(bareRepository, 'hooks'), { recursive: true })
  })

  test('rejects a push whose declared, sent or unpacked size exceeds the limit, and accepts later requests', async () => {
    const tree = await clone(owner.key)
    await commit(tree, 'large.bin', randomBytes(3_000_000))
    await expect(git(tree, 'push', 'origin', 'main')).rejects.toThrow('413')
    await expect(git(tree, '-c', 'http.postBuffer=100000000', 'push', 'origin', 'main')).rejects.toThrow('413')
    const headers = { 'content-type': 'application/x-git-upload-pack-request', 'content-encoding': 'gzip' }
    const wantLine = `0032want ${String(await host.findHead(repository, 'main'))}\n`
    const body = gzipSync(wantLine.repeat(400_000))
    expect(body.length).toBeLessThan(1_000_000)
    const response = await sendRequest('git-upload-pack', { key: owner.key, headers, body }, 'POST')
    expect([response.status, response.body]).toEqual([413, { status: 'error', error: 'Request body too large' }])
    expect(await git(folder, 'ls-remote', buildUrl(repository, owner.key))).toContain('refs/heads/main')
  })
})

describe('access to a repository', () => {
  test('without credentials returns 401 with a challenge', async () => {
    const response = await sendRequest('info/refs?service=git-upload-pack')
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Basic realm="Backline"')
    await expect(git(folder, 'ls-remote', buildUrl(repository))).rejects.toThrow(/terminal prompts disabled|Username/)
    await expect(git(folder, 'ls-remote', buildUrl(repository, `sk_${'x'.repeat(43)}`))).rejects.toThrow(
      'Authentication failed',
    )
  })

  test('is denied to other accounts, which cannot distinguish the repository from a missing one', async () => {
    const absent = { ...repository, name: outsider.id }
    for (const [name, key] of [
      [repository, outsider.key],
      [absent, outsider.key],
      [{ owner: '..', name: 'x' }, owner.key],
      [{ owner: 'workspaces', name: '..%2f..%2fetc' }, owner.key],
    ] as const)
      for (const service of ['git-upload-pack', 'git-receive-pack']) {
        const path = `/git/${name.owner}/${name.name}.git/info/refs?service=${service}`
        const response = await world.request('GET', path, { key })
        expect([response.status, JSON.stringify(response.body)]).toEqual([
          404,
          expect.stringMatching(/Repository not found|Not found/),
        ])
      }
    const body = { 'content-type': 'application/x-git-upload-pack-request' }
    expect(
      (await sendRequest('git-upload-pack', { key: outsider.key, headers: body, body: '0000' }, 'POST')).status,
    ).toBe(404)
  })

  test('is granted to the members of the organization that owns it', async () => {
    const organization = await world.makeOrganization({ members: [owner.id] })
    const shared = await createRepository(organization.id)
    const tree = await clone(owner.key, shared)
    await commit(tree, 'ours', 'x')
    await git(tree, 'push', '--quiet')
    await expect(git(folder, 'ls-remote', buildUrl(shared, outsider.key))).rejects.toThrow('not found')
    await world.db`
      insert into account_organization_ids (account_id, organization_id, state)
      values (${outsider.id}, ${organization.id}, 'invited')`
    await expect(git(folder, 'ls-remote', buildUrl(shared, outsider.key))).rejects.toThrow('not found')
  })

  test('requires a known git service and its media type', async () => {
    expect((await sendRequest('info/refs', { key: owner.key })).status).toBe(400)
    expect((await sendRequest('info/refs?service=git-upload-archive', { key: owner.key })).status).toBe(400)
    expect((await sendRequest('git-upload-pack', { key: owner.key, body: {} }, 'POST')).status).toBe(415)
    const advertised = await sendRequest('info/refs?service=git-upload-pack', { key: owner.key })
    expect(advertised.headers.get('content-type')).toBe('application/x-git-upload-pack-advertisement')
    expect(advertised.text.startsWith('001e# service=git-upload-pack\n0000')).toBe(true)
    expect((await sendRequest('HEAD', { key: owner.key })).status).toBe(404)
  })
})

const listPrograms = async (): Promise<string[]> => {
  const { stdout } = await execute('ps', ['-eo', 'args'])
  return stdout.split('\n').filter((line) => line.includes('receive-pack') && line.includes(world.config.DATA_DIR))
}

test('after a client disconnects during a push, the git process ends and leaves no lock', async () => {
  const before = await host.findHead(repository, 'main')
  const push = httpRequest(`${buildUrl(repository)}/git-receive-pack`, {
    method: 'POST',
    headers: { 'x-api-key': owner.key, 'content-type': 'application/x-git-receive-pack-request' },
  })
  push.on('error', () => {})
  const pushCommand = `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/leaving\0report-status`
  push.write(`${(pushCommand.length + 4).toString(16).padStart(4, '0')}${pushCommand}0000`)
  const pack = 'PACK\0\0\0\x02\0\0\0\x01'.split('')
  await eventually('the git process', async () => {
    // Git responds to a partial push only after more data arrives.
    push.write(pack.shift() ?? '')
    return (await listPrograms()).length > 0 ? true : undefined
  })
  push.destroy()
  await eventually('the end of the git process', async () => ((await listPrograms()).length === 0 ? true : undefined))
  expect(await host.findHead(repository, 'main')).toBe(before)
  const tree = await clone(owner.key)
  await commit(tree, 'after', 'x')
  await git(tree, 'push', '--quiet')
})
