const statuses = ['modified', 'added', 'renamed', 'deleted'] as const
const stagingStatuses = ['staged', 'unstaged', 'partial'] as const

type DiffFile = {
  path: string
  oldPath?: string
  status: (typeof statuses)[number]
  stagingStatus?: (typeof stagingStatuses)[number]
  additions: number
  deletions: number
  /** Unified diff against the base. */
  diff: string
  /** The uncommitted part of the diff. */
  localDiff?: string
  generated?: true
  truncated?: true
}

export type Diff = {
  files: DiffFile[]
  summary: { totalFiles: number; totalAdditions: number; totalDeletions: number }
  baseRef?: string
}

/** Output of git: `--raw -z`, `--numstat -z` and `-p` against the base, `-p` against the current commit, `status -z`. */
export type GitDiff = { base: string; raw: string; numstat: string; patch: string; local: string; status: string }

const maxFileBytes = 200_000
const maxTotalBytes = 2_000_000

/** Generated files: their lines are counted but not shown. */
export const generatedFiles = [
  'bun.lock',
  'bun.lockb',
  'Cargo.lock',
  'composer.lock',
  'deno.lock',
  'flake.lock',
  'Gemfile.lock',
  'go.sum',
  'mix.lock',
  'npm-shrinkwrap.json',
  'package-lock.json',
  'Pipfile.lock',
  'pnpm-lock.yaml',
  'poetry.lock',
  'pubspec.lock',
  'uv.lock',
  'yarn.lock',
  '*.min.css',
  '*.min.js',
]

type Change = Pick<DiffFile, 'path' | 'oldPath' | 'status'>

type Count = { additions: number; deletions: number; binary: boolean }

const escapes: Record<string, string> = {
  '\u0007': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '"': '"',
  '\\': '\\',
}
const specialCharacters = /["\\\p{Cc}]/gu

/** Maximum bytes of a patch to read from git. */
export const maxPatchBytes = 4_000_000

/** Returns the changes of a working tree against its base. Texts that do not fit into one response are omitted. */
export function buildDiff(git: GitDiff): Diff {
  const counts = parseNumstat(git.numstat)
  const patches = parsePatch(git.patch, maxPatchBytes)
  const localPatches = parsePatch(git.local, maxPatchBytes)
  const stagings = parseStatus(git.status)
  let remainingBytes = maxTotalBytes

  const fitText = (block: string | undefined): string | undefined => {
    const bytes = block === undefined ? 0 : countBytes(block)
    if (block === undefined || bytes > maxFileBytes || bytes > remainingBytes) return undefined
    remainingBytes -= bytes
    return block
  }
  const files = parseRaw(git.raw)
    .map((change): DiffFile => {
      const { additions, deletions } = counts.get(change.path) ?? { additions: 0, deletions: 0 }
      const stagingStatus = stagings.get(change.path) ?? (change.oldPath && stagings.get(change.oldPath))
      return { ...change, ...(stagingStatus && { stagingStatus }), additions, deletions, diff: '' }
    })
    .sort(compareByStatus)
  for (const file of files) {
    if (isGenerated(file.path)) {
      file.generated = true
      continue
    }
    const block = patches.get(formatHeader(file))
    const text = isTooLargeToCompare(block, counts.get(file.path)?.binary ?? false) ? undefined : fitText(block)
    if (text === undefined) file.truncated = true
    else file.diff = text
    const local = fitText(localPatches.get(formatHeader(file)) ?? localPatches.get(formatHeader({ path: file.path })))
    if (local !== undefined) file.localDiff = local
  }
  const sum = (member: 'additions' | 'deletions'): number => files.reduce((total, file) => total + file[member], 0)
  return {
    files,
    summary: { totalFiles: files.length, totalAdditions: sum('additions'), totalDeletions: sum('deletions') },
    ...(git.base !== '' && { baseRef: git.base }),
  }
}

/**
 * Parses `<added>\t<deleted>\t<path>`; for a rename, an empty path followed by both paths. For a binary file, both counts are
 * `-`.
 */
function parseNumstat(numstat: string): Map<string, Count> {
  const words = numstat.split('\0')
  const counts = new Map<string, Count>()
  for (let index = 0; index < words.length; index++) {
    const [added = '', deleted = '', path] = words[index]?.split('\t') ?? []
    if (path === undefined) continue
    const count = { additions: Number(added) || 0, deletions: Number(deleted) || 0, binary: added === '-' }
    if (path !== '') counts.set(path, count)
    else {
      counts.set(words[index + 2] ?? '', count)
      index += 2
    }
  }
  return counts
}

/** Returns the blocks of a patch by their headers, without the last block of a truncated patch. */
function parsePatch(patch: string, maxBytes: number): Map<string, string> {
  const blocks = new Map<string, string>()
  const texts = patch.split(/^(?=diff --git )/m)
  if (countBytes(patch) >= maxBytes) texts.pop()
  for (const text of texts) {
    const header = text.slice(0, text.indexOf('\n'))
    blocks.set(header, (blocks.get(header) ?? '') + text)
  }
  return blocks
}

function countBytes(text: string): number {
  return new TextEncoder().encode(text).length
}

/** Parses `XY <path>`: X compares the index with the commit, and Y the working tree with the index. */
function parseStatus(status: string): Map<string, DiffFile['stagingStatus']> {
  return new Map(
    status
      .split('\0')
      .filter((record) => record.length > 3)
      .map((record) => {
        const staged = record[0] !== ' ' && record[0] !== '?'
        const unstaged = record[1] !== ' '
        return [record.slice(3), staged && unstaged ? 'partial' : staged ? 'staged' : 'unstaged'] as const
      }),
  )
}

/** Parses `:<modes> <ids> <letter>` and one path, or two paths for a rename, each terminated by NUL. */
function parseRaw(raw: string): Change[] {
  const words = raw.split('\0')
  const changes: Change[] = []
  for (let index = 0; index + 1 < words.length; index += 2) {
    const letter = words[index]?.split(' ')[4]?.[0]
    const path = words[index + 1] ?? ''
    if (letter === 'R') {
      changes.push({ status: 'renamed', oldPath: path, path: words[index + 2] ?? '' })
      index++
    } else changes.push({ status: letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified', path })
  }
  return changes
}

function compareByStatus(a: DiffFile, b: DiffFile): number {
  return statuses.indexOf(a.status) - statuses.indexOf(b.status) || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)
}

function isGenerated(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return generatedFiles.some((pattern) =>
    pattern.startsWith('*') ? name.endsWith(pattern.slice(1)) : name === pattern,
  )
}

function formatHeader({ path, oldPath = path }: Pick<Change, 'path' | 'oldPath'>): string {
  return `diff --git ${quoteName(`a/${oldPath}`)} ${quoteName(`b/${path}`)}`
}

/** Quotes a name for git's header format. */
function quoteName(name: string): string {
  return name.search(specialCharacters) === -1
    ? name
    : `"${name.replaceAll(specialCharacters, (char) => `\\${escapes[char] ?? toOctal(char)}`)}"`
}

function toOctal(char: string): string {
  return char.charCodeAt(0).toString(8).padStart(3, '0')
}

/** Returns whether a text was too large for git to compare line by line. */
function isTooLargeToCompare(block: string | undefined, binary: boolean): boolean {
  return !binary && block !== undefined && /^Binary files .* differ$/m.test(block)
}
