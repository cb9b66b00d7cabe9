import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pushBranch } from '../../activities/repositories/push.ts'
import { commitWorkTree, diffWorkTree, inspectWorkTree } from '../../activities/repositories/work-tree.ts'
import type { CodeHostPort, Repository } from '../../providers/code-host/index.ts'
import type { Sandbox, SandboxPort } from '../../providers/sandbox/index.ts'
import { gitIdentity, limits, localDrivers } from '../providers/sandbox/contract.ts'
import { openCodeHost } from '../world/repositories/code-host.ts'

const signal = AbortSignal.timeout(600_000)
const [bubblewrap, justBash] = await localDrivers()

let root: string
let host: CodeHostPort
let close: () => Promise<void>
let port: SandboxPort
let serial = 0
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'backline-trees-'))
  ;({ host, close } = await openCodeHost(root))
  if (bubblewrap !== undefined) port = await bubblewrap.open(join(root, 'sandboxes'))
})
afterAll(async () => {
  await close()
  await rm(root, { recursive: true, force: true })
})

type Tree = { repository: Repository; sandbox: Sandbox; run: (command: string) => Promise<string>; base: string }

const openTree = async (): Promise<Tree> => {
  const repository = await host.ensureRepository(`tree-${++serial}`)
  const sandbox = await port.create({
    name: `tree-${serial}`,
    timeoutMs: 600_000,
    gitIdentity,
    repository: {
      cloneUrl: repository.cloneUrl,
      branch: 'main',
      bundle: () => host.bundle(repository),
      files: () => host.readTree(repository),
    },
  })
  const run = async (command: string) => (await sandbox.exec(command, limits)).output
  return { repository, sandbox, run, base: sandbox.state.source?.baseCommit ?? '' }
}

const commit = (tree: Tree, message = 'feat: change') =>
  commitWorkTree(tree.sandbox, { branch: 'main', message, author: gitIdentity, signal })

const push = ({ repository, sandbox }: Tree, branch = 'main') =>
  pushBranch({ codeHost: host, repository, sandbox }, { branch, author: gitIdentity, signal })

const inspect = ({ sandbox }: Tree) => inspectWorkTree(sandbox, { signal })

const createNested = (path: string): string =>
  `mkdir -p '${path}'; cd '${path}'; git init -q -b main; echo x > file; git add .; git commit -qm x; cd ~-`

const nothingLeftOut = { count: 0, paths: [] }

const bytes = (text: string): Uint8Array => Buffer.from(text)

describe.skipIf(bubblewrap?.available !== true)('a working tree', () => {
  it('is clean after the creation of its sandbox and changed after a file changes', async () => {
    const tree = await openTree()
    expect(await inspect(tree)).toEqual({
      state: 'clean',
      branch: 'main',
      head: tree.base,
      stagedDiff: '',
      leftOut: nothingLeftOut,
    })
    await tree.run('echo more >> README.md; echo new > new.txt')
    const status = await inspect(tree)
    expect(status).toMatchObject({ state: 'changed', branch: 'main', head: tree.base })
    expect('stagedDiff' in status && status.stagedDiff).toContain('+more')
    expect(await tree.run('git status --porcelain')).toBe(' M README.md\n?? new.txt\n')
  })

  it('is committed completely with the account as the author, and only once', async () => {
    const tree = await openTree()
    await tree.run('echo more >> README.md; mkdir -p a/b; echo new > "a/b/it\'s new.txt"; echo x > gone; rm gone')
    const first = await commit(tree, 'feat: say "more" $(touch /workspace/owned)')
    expect(first).toEqual({ commit: expect.stringMatching(/^[0-9a-f]{40}$/) as string, leftOut: nothingLeftOut })
    expect(await commit(tree)).toEqual(first)
    expect(await tree.run('git log --format="%s|%an|%ae|%ce" -1; git status --porcelain; ls')).toBe(
      'feat: say "more" $(touch /workspace/owned)|Ada|ada@example.com|ada@example.com\nREADME.md\na\n',
    )
    expect(await inspect(tree)).toMatchObject({ state: 'unpushed' })
  })

  it('is committed even if a file changes right after a commit and keeps its size', async () => {
    const tree = await openTree()
    for (const content of ['one', 'two', 'six', 'ten']) {
      await tree.run(
        `echo ${content} > same.txt; git add same.txt; git commit --quiet -m before; echo ${content} | rev > same.txt`,
      )
      await commit(tree)
      expect(await tree.run('git show HEAD:same.txt | cmp - same.txt && git status --porcelain')).toBe('')
    }
  })

  it('is pushed, and a second push does nothing', async () => {
    const tree = await openTree()
    await tree.run('echo more >> README.md')
    const committed = await commit(tree)
    const head = 'commit' in committed ? committed.commit : ''
    expect(await push(tree)).toEqual({ pushed: true, head, isNew: false })
    expect(await push(tree)).toEqual({ pushed: true, head, isNew: false })
    expect(await host.findHead(tree.repository, 'main')).toBe(head)
    expect(await inspect(tree)).toMatchObject({ state: 'clean', head })
  })

  it('pushes a branch that the agent created', async () => {
    const tree = await openTree()
    await tree.run('git checkout --quiet -b feature/x; echo x > x; git add x; git commit --quiet -m x')
    expect(await inspect(tree)).toMatchObject({ state: 'unpushed', branch: 'feature/x' })
    const pushed = await push(tree, 'feature/x')
    expect(pushed).toMatchObject({ pushed: true, isNew: true })
    expect(await host.findHead(tree.repository, 'main')).toBe(tree.base)
  })

  it('is rebased onto a remote that has moved', async () => {
    const tree = await openTree()
    const { commit: theirs } = await host.writeFile(tree.repository, {
      path: 'theirs.txt',
      content: bytes('theirs\n'),
      message: 'Theirs',
    })
    await tree.run('echo mine > mine.txt')
    await commit(tree, 'feat: mine')
    const pushed = await push(tree)
    expect(pushed).toMatchObject({ pushed: true, rebasedOnto: theirs })
    expect(await tree.run('git log --format=%s; cat theirs.txt mine.txt; git status --porcelain')).toBe(
      'feat: mine\nTheirs\nInitial commit\ntheirs\nmine\n',
    )
    expect(await host.findHead(tree.repository, 'main')).toBe(pushed.pushed ? pushed.head : '')
  })

  it('keeps its commit and its files if both sides changed the same line', async () => {
    const tree = await openTree()
    await host.writeFile(tree.repository, { path: 'README.md', content: bytes('theirs\n'), message: 'Theirs' })
    await tree.run('echo mine > README.md')
    const committed = await commit(tree, 'feat: mine')
    const head = await host.findHead(tree.repository, 'main')
    expect(await push(tree)).toEqual({ pushed: false })
    expect(await host.findHead(tree.repository, 'main')).toBe(head)
    expect(await tree.run('cat README.md; git status --porcelain; git rev-parse HEAD; ls -A ~')).toBe(
      `mine\n${'commit' in committed ? committed.commit : ''}\n`,
    )
    expect(await inspect(tree)).toMatchObject({ state: 'unpushed' })
  })

  it('is committed with the files of nested repositories, with or without commits', async () => {
    const tree = await openTree()
    await tree.run(`echo '*.log' > .gitignore; ${createNested('a b')}; ${createNested('a b/inner')}; touch 'a b/x.log'
      echo new > 'a b/untracked'; mkdir empty bare; git init -q empty; git init -q bare; echo x > bare/x; echo y > y`)
    const committed = await commit(tree)
    expect(committed).toMatchObject({ leftOut: nothingLeftOut })
    expect(await tree.run('git ls-tree -r --name-only HEAD')).toBe(
      '.gitignore\nREADME.md\na b/file\na b/inner/file\na b/untracked\nbare/x\ny\n',
    )
    expect(await push(tree)).toMatchObject({ pushed: true })
    await tree.run(`cd 'a b'; echo more >> file; git commit -qam more; rm untracked; mkdir sub; echo z > sub/z`)
    expect(await inspect(tree)).toMatchObject({ state: 'changed' })
    await commit(tree)
    expect(await tree.run("git show --format= --name-status HEAD; cat 'a b/.git/HEAD'")).toBe(
      'M\ta b/file\nA\ta b/sub/z\nD\ta b/untracked\nref: refs/heads/main\n',
    )
    expect(await inspect(tree)).toMatchObject({ state: 'unpushed', leftOut: nothingLeftOut })
  })

  it('is committed with the files of a nested repository that the agent had committed as a link', async () => {
    const tree = await openTree()
    await tree.run(`${createNested('nested')}; git add nested; git commit -qm link`)
    expect(await inspect(tree)).toMatchObject({ state: 'changed' })
    await commit(tree)
    expect(await tree.run('git ls-tree -r --name-only HEAD')).toBe('README.md\nnested/file\n')
  })

  it('is committed without paths that cannot be committed, which each commit lists', async () => {
    const tree = await openTree()
    await tree.run(`echo 1 > secret; echo 1 > known; git add known; git commit -qm known; echo 2 > known
      chmod 000 secret known; mkdir locked; echo x > locked/x; chmod 000 locked; mkfifo pipe; ln -s nowhere link
      mkdir 'git~1'; echo x > 'git~1/x'; printf x > $'line\\nfeed'; echo x > ':(top)-x'; echo @ > '@'
      head -c 5000 /dev/zero > large; echo '[submodule "../x"]' > .gitmodules; echo 'path = ../x' >> .gitmodules
      printf 'odd working-tree-encoding=UTF-16\\n' > .gitattributes; printf '\\377\\330x' > odd; echo z > z`)
    const options = { branch: 'main', message: 'feat: x', author: gitIdentity, maxFileBytes: 4000, signal }
    const committed = await commitWorkTree(tree.sandbox, options)
    const leftOut = {
      count: 7,
      paths: [
        { path: '.gitmodules', reason: 'not-allowed' },
        { path: 'git~1/x', reason: 'not-allowed' },
        { path: 'known', reason: 'unreadable' },
        { path: 'large', reason: 'too-large' },
        { path: 'locked/', reason: 'unreadable' },
        { path: 'odd', reason: 'not-allowed' },
        { path: 'secret', reason: 'unreadable' },
      ],
    }
    expect(committed).toMatchObject({ leftOut })
    expect(await tree.run('git ls-tree -r -z --name-only HEAD | tr "\\0" "|"; git show HEAD:known')).toBe(
      '.gitattributes|:(top)-x|@|README.md|known|line\nfeed|link|z|1\n',
    )
    expect([await push(tree), await push(tree)]).toMatchObject([{ pushed: true }, { pushed: true }])
    expect(await inspectWorkTree(tree.sandbox, { maxFileBytes: 4000, signal })).toMatchObject({
      state: 'clean',
      leftOut,
    })
    expect(await diffWorkTree(tree.sandbox, { base: tree.base, maxFileBytes: 4000, signal })).toMatchObject({
      diff: { summary: { totalFiles: 7 } },
    })
    await tree.run('echo more > more')
    expect(await commitWorkTree(tree.sandbox, options)).toMatchObject({ leftOut })
    expect(await push(tree)).toMatchObject({ pushed: true })
  })

  it('is committed with a list of submodules whose files or commits their remotes lack', async () => {
    const tree = await openTree()
    await tree.run(`${createNested('/tmp/origin')}; git -c protocol.file.allow=always submodule add -q /tmp/origin sub`)
    expect(await commit(tree)).toMatchObject({ leftOut: nothingLeftOut })
    await tree.run('echo x > sub/new')
    expect(await commit(tree)).toMatchObject({ leftOut: { count: 1, paths: [{ path: 'sub', reason: 'submodule' }] } })
    await tree.run('cd sub; git add .; git commit -qm new')
    expect(await commit(tree)).toMatchObject({ leftOut: { count: 1, paths: [{ path: 'sub', reason: 'submodule' }] } })
    expect(await tree.run('git ls-tree HEAD sub')).toMatch(/^160000 commit/)
  })

  it('is committed despite a stale lock and objects that are missing from the object store', async () => {
    const tree = await openTree()
    await tree.run(`echo x > x; echo y > y; git add x; touch -d '2 minutes ago' .git/refs/heads/main.lock
      rm -f .git/objects/$(git hash-object x | sed 's|^..|&/|')`)
    expect(await commit(tree)).toHaveProperty('commit')
    expect(await tree.run('git fsck --no-dangling 2>&1; git ls-tree --name-only HEAD')).toBe('README.md\nx\ny\n')
  })

  it('is not committed while a merge is in progress', async () => {
    const tree = await openTree()
    await tree.run(
      'git checkout --quiet -b b; echo b > README.md; git commit --quiet -am b; git checkout --quiet main; echo a > README.md; git commit --quiet -am a; git merge b',
    )
    expect(await inspect(tree)).toEqual({ state: 'unfinished' })
  })

  it('is not inspected if its repository was removed or replaced by a link', async () => {
    const tree = await openTree()
    await tree.run('rm -rf .git')
    expect(await inspect(tree)).toEqual({ state: 'no repository' })
    await tree.run('ln -s /etc .git')
    expect(await inspect(tree)).toEqual({ state: 'no repository' })
    expect(await diffWorkTree(tree.sandbox, { base: tree.base, signal })).toBeUndefined()
  })
})

const plantedNames = [
  'pre-commit',
  'commit-msg',
  'post-commit',
  'pre-push',
  'reference-transaction',
  'post-index-change',
]

/** Plants every setting with which a repository can make git run a program. Each program records its name. */
const plantCommand = `
trap() { printf '#!/bin/sh\\necho %s >> /home/agent/ran\\ncat\\n' "$1" > "/home/agent/$1"; chmod +x "/home/agent/$1"; }
for name in ${plantedNames.join(' ')}; do trap "$name"; cp "/home/agent/$name" ".git/hooks/$name"; done
mkdir -p .git/hooks /home/agent/hooks
for name in filter monitor textconv external ssh helper gpg editor alias merge pager included; do trap "$name"; done
git config filter.evil.clean /home/agent/filter
git config filter.evil.smudge /home/agent/filter
git config filter.evil.required true
git config core.fsmonitor /home/agent/monitor
git config core.sshCommand /home/agent/ssh
git config core.editor /home/agent/editor
git config core.pager /home/agent/pager
git config credential.helper /home/agent/helper
git config diff.evil.textconv /home/agent/textconv
git config diff.evil.command /home/agent/external
git config diff.external /home/agent/external
git config merge.evil.driver '/home/agent/merge %A'
git config commit.gpgSign true
git config gpg.program /home/agent/gpg
git config alias.add '!/home/agent/alias'
git config alias.write-tree '!/home/agent/alias'
git config include.path /home/agent/more
printf '[core]\\n hooksPath = /home/agent/hooks\\n fsmonitor = /home/agent/included\\n' > /home/agent/more
cp /home/agent/more ~/.gitconfig
echo '* filter=evil diff=evil merge=evil' > .gitattributes
cp .gitattributes .git/info/attributes
echo changed >> README.md
rm -f /home/agent/ran
`

describe.skipIf(bubblewrap?.available !== true)('a repository with malicious settings', () => {
  it('is inspected, committed, rebased and pushed without running its programs', async () => {
    const tree = await openTree()
    await tree.run(plantCommand)
    expect(await tree.run('git add README.md; cat /home/agent/ran')).toMatch(/filter|monitor|included/)
    await tree.run('git reset --quiet; rm -f /home/agent/ran')
    await host.writeFile(tree.repository, { path: 'theirs', content: bytes('x'), message: 'Theirs' })
    expect(await inspect(tree)).toMatchObject({ state: 'changed' })
    expect(await diffWorkTree(tree.sandbox, { base: tree.base, signal })).toMatchObject({ branch: 'main' })
    expect(await commit(tree)).toHaveProperty('commit')
    expect(await push(tree)).toMatchObject({ pushed: true })
    expect(await tree.run('cat /home/agent/ran 2>/dev/null')).toBe('')
    const content = await host.readFile(tree.repository, 'README.md', { maxBytes: 1000 })
    expect(Buffer.from(content ?? []).toString()).toContain('changed')
  })

  it('reveals no credential to its processes', async () => {
    const tree = await openTree()
    await tree.run('echo x > x')
    await commit(tree)
    await push(tree)
    const output = await tree.run('env; git config --list --show-origin; cat .git/config; ls -aR ~; git remote -v')
    expect(output).not.toMatch(/sk_|token|authorization|extraheader|x:.*@/i)
  })
})

const computeDiff = async (tree: Tree) => {
  const computed = await diffWorkTree(tree.sandbox, { base: tree.base, signal })
  if (computed === undefined || computed === 'no git') throw new Error('no repository')
  return computed
}

describe.skipIf(bubblewrap?.available !== true)('the diff of a working tree', () => {
  it('counts committed, uncommitted and untracked changes against the base', async () => {
    const tree = await openTree()
    await tree.run('printf "1\\n2\\n" > committed.txt; git add .; git commit --quiet -m one')
    await tree.run('echo 3 >> committed.txt; echo new > "new file.txt"; echo staged > staged.txt; git add staged.txt')
    await tree.run('echo twice > both.txt; git add both.txt; echo more >> both.txt')
    const { diff, branch, isClean } = await computeDiff(tree)
    expect({ branch, isClean }).toEqual({ branch: 'main', isClean: false })
    expect(diff.baseRef).toBe(tree.base)
    expect(
      diff.files.map(({ path, status, stagingStatus, additions }) => [path, status, stagingStatus, additions]),
    ).toEqual([
      ['both.txt', 'added', 'partial', 2],
      ['committed.txt', 'added', 'unstaged', 3],
      ['new file.txt', 'added', 'unstaged', 1],
      ['staged.txt', 'added', 'staged', 1],
    ])
    expect(diff.summary).toEqual({ totalFiles: 4, totalAdditions: 7, totalDeletions: 0 })
    const committed = diff.files.find(({ path }) => path === 'committed.txt')
    expect(committed?.diff).toContain('+1\n+2\n+3\n')
    expect(committed?.localDiff).toContain(' 2\n+3\n')
    expect(committed?.localDiff).not.toContain('+2')
    expect(await tree.run('git status --porcelain')).toContain('?? "new file.txt"')
  })

  it('lists renames, deletions and binary files in the order of the contract', async () => {
    const tree = await openTree()
    await host.writeFile(tree.repository, { path: 'x', content: bytes('x'), message: 'x' })
    await tree.run('seq 100 > old; echo bye > gone; printf "a\\0b" > picture; git add .; git commit --quiet -m base')
    const base = (await tree.run('git rev-parse HEAD')).trim()
    await tree.run(
      'git mv old "moved \\"here\\"\tnow"; rm gone; printf "a\\0c" > picture; echo more >> README.md; ln -s README.md link',
    )
    const computed = await computeDiff({ ...tree, base })
    expect(
      computed.diff.files.map(({ path, oldPath, status, additions, deletions }) => ({
        path,
        oldPath,
        status,
        additions,
        deletions,
      })),
    ).toEqual([
      { path: 'README.md', oldPath: undefined, status: 'modified', additions: 1, deletions: 0 },
      { path: 'picture', oldPath: undefined, status: 'modified', additions: 0, deletions: 0 },
      { path: 'link', oldPath: undefined, status: 'added', additions: 1, deletions: 0 },
      { path: 'moved "here"\tnow', oldPath: 'old', status: 'renamed', additions: 0, deletions: 0 },
      { path: 'gone', oldPath: undefined, status: 'deleted', additions: 0, deletions: 1 },
    ])
    expect(computed.diff.files.every(({ diff }) => diff.startsWith('diff --git '))).toBe(true)
    expect(computed.diff.files[1]?.diff).toContain('Binary files')
  })

  it('counts lock files and long files without showing their text', async () => {
    const tree = await openTree()
    await tree.run(
      'mkdir app; seq 1000 > app/package-lock.json; seq 100000 > long.txt; seq 400000 > longer.txt; echo x > x',
    )
    const { diff } = await computeDiff(tree)
    const filesByPath = Object.fromEntries(diff.files.map((file) => [file.path, file]))
    expect(filesByPath['app/package-lock.json']).toMatchObject({ generated: true, diff: '', additions: 1000 })
    expect(filesByPath['long.txt']).toMatchObject({ truncated: true, diff: '', additions: 100_000 })
    expect(filesByPath['longer.txt']).toMatchObject({ truncated: true, diff: '', additions: 400_000 })
    expect(filesByPath['x']?.diff).toContain('+x')
    expect(diff.summary.totalAdditions).toBe(501_001)
  })

  it('falls back to the remote, to the commit and to an empty tree if its base is unknown', async () => {
    const tree = await openTree()
    await tree.run('echo x > x; git add x; git commit --quiet -m x')
    const computed = await computeDiff({ ...tree, base: 'f'.repeat(40) })
    expect(computed.diff.baseRef).toBe(tree.base)
    expect(computed.diff.summary.totalFiles).toBe(1)
    await tree.run('rm -rf .git; git init --quiet -b main')
    const empty = await computeDiff(tree)
    expect(empty).toMatchObject({ head: null, branch: 'main' })
    expect(empty.diff.files.map(({ path }) => path)).toEqual(['README.md', 'x'])
  })
})

describe.skipIf(justBash?.available !== true)('a sandbox without git', () => {
  it('has no working tree', async () => {
    const sandboxes = await justBash?.open(join(root, 'plain'))
    const sandbox = await sandboxes?.create({ name: 'plain', timeoutMs: 60_000, gitIdentity })
    if (sandbox === undefined) throw new Error('no sandbox')
    expect(await inspectWorkTree(sandbox, { signal })).toEqual({ state: 'no git' })
    expect(await diffWorkTree(sandbox, { base: undefined, signal })).toBe('no git')
    await sandbox.destroy()
  })
})
