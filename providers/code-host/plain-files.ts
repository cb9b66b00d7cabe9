import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isCommittablePath } from '../../domain/repositories/left-out.ts'
import type { PushTarget } from './local/bare-push.ts'
import { findGitLine, git, gitLine } from './git.ts'
import { createScratch } from './local/git-user.ts'
import { CodeHostRefusedError, type FilesComparison, type FilesCommit, type PlainFiles } from './index.ts'

const filesRef = 'refs/incoming/ours'
const escapedCharacters = /[^\x20-\x7e]|["\\]/g

type Commit = Omit<PlainFiles, 'branch'> & { message: string; author: { name: string; email: string } }

const compareAuthor = { name: 'compare', email: 'compare@localhost' }

export function compareFiles(
  target: PushTarget,
  { branch, base, against, files, unread = [], maxPatchBytes }: PlainFiles & { against: string; maxPatchBytes: number },
): Promise<FilesComparison> {
  return withCommit(
    target,
    branch,
    { base, files, unread, message: 'compare', author: compareAuthor },
    async (scratch, commit) => {
      const containsAgainst = async (): Promise<boolean> =>
        (await findGitLine(scratch, ['cat-file', '-e'], { external: [`${against}^{commit}`] })) !== undefined
      if (!(await containsAgainst())) await target.deepen?.(scratch, branch)
      const from = (await containsAgainst()) ? against : base
      const diff = ['-c', 'core.quotePath=false', 'diff', '--no-ext-diff', '--no-textconv', '-M'] as const
      const external = [from, commit]
      return {
        isChanged: (await readTreeId(scratch, commit)) !== (await readTreeId(scratch, base)),
        base: from,
        raw: truncateText(await git(scratch, [...diff, '--raw', '--no-abbrev', '-z'], { external }), maxPatchBytes),
        numstat: truncateText(await git(scratch, [...diff, '--numstat', '-z'], { external }), maxPatchBytes),
        patch: truncateText(await git(scratch, [...diff, '-p'], { external }), maxPatchBytes),
      }
    },
  )
}

export function commitFiles(
  target: PushTarget,
  { branch, message, author, ...rest }: PlainFiles & Pick<Commit, 'message' | 'author'>,
): Promise<FilesCommit> {
  return withCommit(target, branch, { ...rest, message, author }, async (scratch, commit) => {
    const head = await gitLine(scratch, ['rev-parse', '--verify'], { external: [`refs/remotes/${branch}^{commit}`] })
    const result = head === rest.base ? commit : await mergeIntoHead(scratch, { head, commit, message, author })
    if (result === undefined) return { outcome: 'conflict', head, missing: [] }
    if (result !== head) await target.pushCommit(scratch, result, branch)
    const missing = head === rest.base ? [] : await listMissing(scratch, commit, result)
    // If the branch already contains these changes, an earlier attempt has pushed them.
    return { outcome: 'pushed', head: result, ...(missing.length > 0 && { mergedInto: head }), missing }
  })
}

/** Runs `work` in a temporary repository that has the branch and a commit of the files on top of their base. */
async function withCommit<T>(
  target: PushTarget,
  branch: string,
  commit: Commit,
  work: (scratch: string, commit: string) => Promise<T>,
): Promise<T> {
  const folder = await createScratch('backline-files-', target.directory)
  const scratch = join(folder, 'scratch.git')
  const containsBase = async (): Promise<boolean> =>
    (await findGitLine(scratch, ['cat-file', '-e'], { external: [`${commit.base}^{commit}`] })) !== undefined
  try {
    await git(scratch, ['init', '--quiet', '--bare', '--template='])
    await target.fetchBranch(scratch, branch)
    if (!(await containsBase())) await target.deepen?.(scratch, branch)
    if (!(await containsBase())) throw new CodeHostRefusedError('the repository does not contain the base commit')
    const keptEntries = await listEntries(scratch, commit)
    await git(scratch, ['fast-import', '--quiet', '--done'], { stdin: buildImportStream(commit, keptEntries) })
    return await work(scratch, await gitLine(scratch, ['rev-parse', '--verify', filesRef]))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type IndexEntry = { mode: string; sha: string; path: string }

/** Lists the entries to keep from the base: unread files, and links and submodules, which the sandbox does not have. */
async function listEntries(scratch: string, { base, files, unread = [] }: Commit): Promise<IndexEntry[]> {
  const listing = (await git(scratch, ['ls-tree', '-r', '-z'], { external: [base] })).toString()
  const isUnread = (path: string): boolean => unread.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
  const writtenPaths = new Set(files.map(({ path }) => path))
  return listing.split('\0').flatMap((record) => {
    const [, mode = '', sha = '', path = ''] = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/s.exec(record) ?? []
    const isKept = path !== '' && (isUnread(path) || (!mode.startsWith('100') && !isReplaced(path, writtenPaths)))
    return isKept ? [{ mode, sha, path }] : []
  })
}

function isReplaced(path: string, writtenPaths: Set<string>): boolean {
  if (writtenPaths.has(path)) return true
  for (const writtenPath of writtenPaths)
    if (writtenPath.startsWith(`${path}/`) || path.startsWith(`${writtenPath}/`)) return true
  return false
}

/** Builds a fast-import stream for a commit on top of `base` whose tree consists of the files and the kept entries. */
function buildImportStream({ base, files, message, author }: Commit, keptEntries: IndexEntry[]): Buffer {
  const person = `${sanitizeName(author.name)} <${sanitizeName(author.email)}> ${Math.floor(Date.now() / 1000)} +0000`
  return Buffer.concat([
    Buffer.from(`commit ${filesRef}\nauthor ${person}\ncommitter ${person}\n`),
    ...formatData(Buffer.from(message)),
    Buffer.from(`from ${base}\ndeleteall\n`),
    ...keptEntries.map(({ mode, sha, path }) => Buffer.from(`M ${mode} ${sha} ${quotePath(path)}\n`)),
    ...files
      .filter(({ path }) => isCommittablePath(path))
      .flatMap(({ path, content, isExecutable }) => [
        Buffer.from(`M ${isExecutable ? '100755' : '100644'} inline ${quotePath(path)}\n`),
        ...formatData(content),
      ]),
    Buffer.from('done\n'),
  ])
}

function sanitizeName(text: string): string {
  return text.replaceAll(/[<>\p{Cc}]/gu, ' ').trim()
}

function formatData(content: Uint8Array): Buffer[] {
  return [Buffer.from(`data ${content.length}\n`), Buffer.from(content), Buffer.from('\n')]
}

/** Quotes a path for git's fast-import format. Special bytes are escaped as octal numbers. */
function quotePath(path: string): string {
  const bytes = Buffer.from(path).toString('latin1')
  return `"${bytes.replace(escapedCharacters, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`
}

function readTreeId(scratch: string, commit: string): Promise<string> {
  return gitLine(scratch, ['rev-parse', '--verify'], { external: [`${commit}^{tree}`] })
}

function truncateText(text: Buffer, maxBytes: number): string {
  return text.subarray(0, maxBytes).toString()
}

/** Merges the commit of the files into the newer head of the branch. Returns undefined on a conflict. */
async function mergeIntoHead(
  scratch: string,
  { head, commit, message, author }: { head: string; commit: string } & Pick<Commit, 'message' | 'author'>,
): Promise<string | undefined> {
  const merged = await findGitLine(scratch, ['merge-tree', '--write-tree'], { external: [head, commit] })
  if (merged === undefined) return undefined
  const [tree = ''] = merged.split('\n')
  if (tree === (await readTreeId(scratch, head))) return head
  const env = {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
  }
  return gitLine(scratch, ['commit-tree', `-p${head}`, '-F', '-'], { external: [tree], env, stdin: message })
}

/** Lists the changes that the sandbox needs after a merge. Writes paths with content, and deletes paths without content. */
async function listMissing(scratch: string, from: string, to: string): Promise<FilesCommit['missing']> {
  const raw = await git(scratch, ['diff', '--raw', '--no-abbrev', '--no-renames', '-z'], { external: [from, to] })
  const fields = raw.toString().split('\0')
  const missing: FilesCommit['missing'] = []
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [, mode = '', , blob = ''] = fields[index]?.split(' ') ?? []
    const path = fields[index + 1] ?? ''
    if (mode === '000000') missing.push({ path })
    else if (mode.startsWith('100'))
      missing.push({ path, content: await git(scratch, ['cat-file', 'blob'], { external: [blob] }) })
  }
  return missing
}
