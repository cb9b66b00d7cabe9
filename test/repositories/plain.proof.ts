import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chooseFiles } from '../../activities/repositories/plain.ts'
import { readTar } from '../../activities/repositories/tar.ts'
import type { CodeHostPort, RepositoryName } from '../../providers/code-host/index.ts'
import { createChatApi, type OpenChat } from '../chat/chat-api.ts'
import { listFaults, listFrames, type Transcript } from '../world/transcript.ts'
import { inBareRepository } from '../world/repositories/bare-repository.ts'
import { createWorld, type World } from '../world/world.ts'

describe('an archive', () => {
  const folder = mkdtempSync(join(tmpdir(), 'backline-tar-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const long = `${'folder-'.repeat(12)}/${'name-'.repeat(30)}.txt`

  test.each(['ustar', 'gnu', 'pax'])('in the format %s yields its regular files', (format) => {
    const tree = mkdtempSync(join(folder, 'tree-'))
    mkdirSync(join(tree, 'folder-'.repeat(12)))
    if (format !== 'ustar') writeFileSync(join(tree, long), 'long')
    writeFileSync(join(tree, 'run me'), Buffer.alloc(1000, 'x'), { mode: 0o755 })
    writeFileSync(join(tree, 'empty'), '')
    symlinkSync('/etc/passwd', join(tree, 'link'))
    const archive = execFileSync('tar', ['-C', tree, `--format=${format}`, '-cf', '-', '.'])
    const files = readTar(archive).toSorted((a, b) => (a.path < b.path ? -1 : 1))
    expect(files.map(({ path, content, isExecutable }) => [path, content.length, isExecutable])).toEqual([
      ['empty', 0, false],
      ...(format === 'ustar' ? [] : [[long, 4, false]]),
      ['run me', 1000, true],
    ])
    expect(() => readTar(archive.subarray(0, 700))).toThrow('corrupt')
  })
})

const createFile = (path: string, size: number) => ({ path, bytes: size * 1024 ** 2 })

test('a commit that cannot hold all files includes the smallest files', () => {
  const expectedFiles = [createFile('large', 33), createFile('a', 16), createFile('b', 15), createFile('c', 1)]
  expect(chooseFiles(expectedFiles).map(({ path }) => path)).toEqual(['c', 'b'])
})

const getRepository = ({ account }: OpenChat): RepositoryName => ({ owner: 'workspaces', name: account.id })
const findResult = (transcript: Transcript): unknown =>
  listFrames(transcript).findLast(({ type }) => type === 'data-commit')?.['data']

describe('a turn in a sandbox without git', () => {
  let world: World
  let chatApi: ReturnType<typeof createChatApi>
  let host: CodeHostPort
  beforeAll(async () => {
    world = await createWorld({ settings: { SANDBOX_PROVIDER: 'just-bash' } })
    chatApi = createChatApi(world)
    host = world.deps.codeHost
  })
  afterAll(() => world.close())

  const readContent = async (chat: OpenChat, path: string): Promise<string | undefined> => {
    const content = await host.readFile(getRepository(chat), path, { maxBytes: 1000 })
    return content && Buffer.from(content).toString()
  }

  test('commits its files, merges other commits and shows its diff', async () => {
    const chat = await chatApi.openChat()
    const first = await chatApi.send(chat, '$ mkdir a; echo la > "a/my song.txt"')
    expect(listFaults(first)).toEqual([])
    const head = await host.findHead(getRepository(chat), 'main')
    expect(findResult(first)).toMatchObject({ status: 'success', committed: true, pushed: true, commitSha: head })
    expect(await readContent(chat, 'a/my song.txt')).toBe('la\n')
    expect(findResult(await chatApi.send(chat, '$ ls'))).toBeUndefined()
    const { body } = await world.request('GET', `/api/sessions/${chat.sessionId}/diff`, { key: chat.account.key })
    expect(body).toMatchObject({ files: [{ path: 'a/my song.txt', status: 'added', additions: 1 }] })

    await host.writeFile(getRepository(chat), { path: 'theirs.txt', content: Buffer.from('t\n'), message: 'Theirs' })
    expect(findResult(await chatApi.send(chat, '$ echo 2 > second.txt'))).toMatchObject({
      status: 'success',
      pushed: true,
    })
    expect(await readContent(chat, 'second.txt')).toBe('2\n')
    expect(await readContent(chat, 'theirs.txt')).toBe('t\n')
    expect(JSON.stringify(listFrames(await chatApi.send(chat, '$ cat theirs.txt')))).toContain('t\\n')

    await host.writeFile(getRepository(chat), { path: 'second.txt', content: Buffer.from('x\n'), message: 'Theirs' })
    expect(findResult(await chatApi.send(chat, '$ echo y > second.txt'))).toMatchObject({
      status: 'error',
      pushed: false,
      error: 'Push failed',
    })
    expect(await readContent(chat, 'second.txt')).toBe('x\n')
  })

  test('omits and reports paths that cannot be committed, and keeps links and submodules of the repository', async () => {
    const chat = await chatApi.openChat()
    const runInRepository = (script: string): Promise<string> =>
      inBareRepository(world, getRepository(chat), async (folder) => {
        const command = `git() { command git -c safe.directory='*' -C ${folder} "$@"; }; ${script}`
        return execFileSync('sh', ['-c', `${command}; chown -R --reference=${folder} ${folder}`]).toString()
      })
    await runInRepository(`tree=$({ git ls-tree main; printf '120000 blob %s\\tlink\\n' "$(printf README.md | git hash-object -w --stdin)"
      printf '160000 commit %s\\tmodule\\n' "$(git rev-parse main)"; } | git mktree)
      git update-ref refs/heads/main "$(git -c user.name=a -c user.email=a@b commit-tree -p main -m link "$tree")"`)
    const command = '$ mkdir -p a/.git; echo x > a/.git/config; echo x > a/b'
    expect(findResult(await chatApi.send(chat, command))).toMatchObject({
      status: 'success',
      leftOut: {
        count: 1,
        paths: [{ path: 'a/.git/config', reason: 'not-allowed' }],
      },
    })
    expect((await runInRepository('git ls-tree -r --name-only main')).split('\n')).toEqual(
      expect.arrayContaining(['README.md', 'a/b', 'link', 'module']),
    )
  })
})
