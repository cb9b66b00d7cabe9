import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLocalCodeHost } from '../../../providers/code-host/local/local.ts'

const run = promisify(execFile)
const ownerUid = 29_999
const git = (...args: string[]) => run('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args])

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backline-owner-'))
  await chmod(folder, 0o711)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it.runIf(process.getuid?.() === 0)('a root process runs git as the owner of the repositories', async () => {
  const root = join(folder, 'repositories')
  await mkdir(root)
  await chown(root, ownerUid, ownerUid)
  const host = createLocalCodeHost({ root, baseUrl: 'http://localhost:1' })
  const repository = await host.ensureRepository('owned')
  await host.writeFile(repository, { path: 'a/b', content: Buffer.from('one'), message: 'write' })
  const clone = join(folder, 'clone')
  await writeFile(join(folder, 'first'), host.bundle(repository))
  await git('clone', '--quiet', '--branch', 'main', join(folder, 'first'), clone)
  await git('-C', clone, 'commit', '--quiet', '--allow-empty', '-m', 'more')
  await git('-C', clone, 'bundle', 'create', '--quiet', join(folder, 'bundle'), 'main')
  const pushed = await host.push(repository, 'main', createReadStream(join(folder, 'bundle')))
  expect(pushed.outcome).toBe('pushed')
  for (const path of ['.', ...(await readdir(root, { recursive: true })).map(String)])
    expect((await stat(join(root, path))).uid, path).toBe(ownerUid)
})
