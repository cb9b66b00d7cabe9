import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordSourceRepository } from '../../../db/sandboxes/snapshots.ts'
import { saveWorkspace } from '../../../db/sandboxes/sandboxes.ts'
import { isRefName } from '../../../domain/repositories/ref-names.ts'
import { CodeHostRefusedError, type CodeHostPort, type Repository } from '../../../providers/code-host/index.ts'
import { inBareRepository } from '../../world/repositories/bare-repository.ts'
import { createWorld, type TestAccount, type World } from '../../world/world.ts'

const execute = promisify(execFile)

let world: World
let host: CodeHostPort
let account: TestAccount
let repository: Repository
let folder: string
let tree: string

const git = async (...args: string[]): Promise<string> => {
  const person = { name: 'Person', email: 'person@example.com' }
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    GIT_AUTHOR_NAME: person.name,
    GIT_AUTHOR_EMAIL: person.email,
    GIT_COMMITTER_NAME: person.name,
    GIT_COMMITTER_EMAIL: person.email,
  }
  const { stdout, stderr } = await execute('git', args, { cwd: tree, env, timeout: 60_000 })
  return stdout + stderr
}

const names = ['-x', '--output=x', '--help', ':(glob)*', ':!README.md', 'a..b', '@{u}', 'HEAD', 'a:b', '*']

beforeAll(async () => {
  world = await createWorld({ worker: false })
  host = world.deps.codeHost
  account = await world.makeAccount()
  repository = await host.ensureRepository(account.id)
  const { owner, name, cloneUrl } = repository
  await saveWorkspace(world.db, account.id, { repoOwner: owner, repoName: name, cloneUrl })
  await recordSourceRepository(world.db, account.id, cloneUrl)
  folder = await mkdtemp(join(tmpdir(), 'backline-names-'))
  tree = folder
  const address = new URL(`${world.baseUrl}/git/${owner}/${name}.git`)
  Object.assign(address, { username: 'x', password: account.key })
  await git('clone', '--quiet', address.href, join(folder, 'tree'))
  tree = join(folder, 'tree')
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

const read = (path: string) =>
  world.request('GET', `/api/sandboxes/file?path=${encodeURIComponent(path)}`, { key: account.key })

describe('a path of the source repository', () => {
  test('is never interpreted as an option or a pattern', async () => {
    for (const path of names) expect([path, (await read(path)).status]).toEqual([path, 404])
    for (const path of names) await host.writeFile(repository, { path, content: Buffer.from(path), message: 'write' })
    for (const path of names) {
      const response = await read(path)
      expect([path, response.status, response.body['content']]).toEqual([path, 200, path])
    }
    for (const path of ['-r', '--name-only', ':/', ':(top)README.md', 'README.*', './-x', '-'])
      expect([path, [400, 404].includes((await read(path)).status)]).toEqual([path, true])
  })

  test('is rejected if it contains a control character or leaves the repository', async () => {
    for (const path of ['a\nb', 'a\0b', '../x', 'x/../../y', '/etc/passwd', '.git/config', 'a\\b'])
      expect([path, (await read(path)).status]).toEqual([path, 400])
  })
})

const reserved = ['HEAD', 'head', 'FETCH_HEAD', 'ORIG_HEAD', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', '@', '-x', 'refs/x']

const push = (...refs: string[]) => git('push', '--porcelain', 'origin', ...refs)

describe('a push', () => {
  test.each([...reserved.map((name) => `refs/heads/${name}`), 'refs/tags/HEAD', `refs/heads/${'a'.repeat(40)}`])(
    'to %s is rejected, and the response states the reason for this ref',
    async (ref) => {
      const pushed = push(`main:${ref}`)
      await expect(pushed).rejects.toMatchObject({
        stdout: expect.stringContaining('reserved or not allowed as the name of a branch or tag') as unknown,
      })
      await expect(git('ls-remote', 'origin', ref)).resolves.toBe('')
    },
  )

  test('of many refs is rejected completely if one ref is rejected', async () => {
    const refs = Array.from({ length: 800 }, (_, index) => `main:refs/heads/${index}-${'x'.repeat(60)}`)
    await expect(push(...refs, 'main:refs/heads/HEAD')).rejects.toMatchObject({
      stdout: expect.stringContaining('rejected because another ref was rejected') as unknown,
    })
    expect((await git('ls-remote', 'origin', 'refs/heads/*')).trim().split('\n')).toHaveLength(1)
  })

  test('to other names succeeds, and a push can delete an existing ref with a reserved name', async () => {
    await push('main:refs/heads/feature/HEAD', 'main:refs/tags/v1.0')
    await inBareRepository(world, repository, (bare) =>
      execute('git', ['-c', 'safe.directory=*', '--git-dir', bare, 'update-ref', 'refs/heads/HEAD', 'refs/heads/main']),
    )
    await push(':refs/heads/HEAD')
    expect(await host.findHead(repository, 'HEAD')).toBeUndefined()
    expect(await host.findHead(repository, 'feature/HEAD')).toBeDefined()
  })

  test('whose data does not begin with a list of refs is rejected', async () => {
    const headers = { 'content-type': 'application/x-git-receive-pack-request' }
    const path = `/git/${repository.owner}/${repository.name}.git/git-receive-pack`
    for (const body of ['00', 'zzzz', '0009abcd', `0015push-cert\0report-status0000`]) {
      const response = await world.request('POST', path, { key: account.key, headers, body })
      expect([response.status, response.text]).toEqual([
        200,
        expect.stringContaining('does not start with valid ref commands'),
      ])
    }
  })
})

test('a sandbox cannot push a branch with a reserved name either', async () => {
  const bundle = host.bundle(repository)
  for (const name of [...reserved, 'a..b', 'a@{b', 'a:b', 'a\nb', 'a\0b', 'a b', 'x.lock', ''])
    await expect(host.push(repository, name, bundle), name).rejects.toThrow(CodeHostRefusedError)
})

test('ordinary ref names are accepted', () => {
  for (const name of ['main', 'feature/x', 'feature/HEAD', 'v1.2.3', 'ümläut', 'a-b', 'a@b', 'headline', 'my_head'])
    expect([name, isRefName(name)]).toEqual([name, true])
})
