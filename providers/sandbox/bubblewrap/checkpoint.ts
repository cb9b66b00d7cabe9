import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import { SandboxError, SnapshotGoneError, type CheckpointOptions, type CheckpointResult } from '../index.ts'
import type { Folder } from '../local/folder.ts'
import type { GroupOptions, GroupResult } from '../local/process-group.ts'
import type { SnapshotStore } from '../local/snapshot-store.ts'
import type { Program } from './program.ts'

type Run = (
  program: Program,
  options: Pick<GroupOptions, 'stdin' | 'takeOutput' | 'timeoutMs' | 'maxOutputBytes'> & { signal?: AbortSignal },
) => Promise<GroupResult & { diskFull: boolean }>

const restoreTimeoutMs = 10 * 60 * 1000
/** Maximum compressed size of a list of files, which is kept in memory while a pack is written. */
const maxListBytes = 64 * 1024 * 1024
/** Length of the number that precedes the list of files in a pack. */
const lengthDigits = 12
const lengthPattern = /^\d{12}$/

const exitCodes = { tooLarge: 3, unchanged: 4 }

/** The list of an empty sandbox. */
const emptyList = gzipSync('')

// Lists files by allocated size, inode, change time, mode and type. A command cannot set a change time, so the record of a file
// differs after each change. The pause exceeds the granularity of change times. A file that changes after `tar` has read it
// therefore gets a later change time than the list contains.
const pack = `
exec 5<&-
set -o pipefail
export LC_ALL=C
cd /tmp && gzip -dc > old || exit 1
{ cd / && find workspace home/agent -xdev -printf '%b %i %C@ %m %y %p\\0'; cd /tmp; } | sort -z > new || [ -s new ] || exit 1
entries=$(tr -cd '\\0' < new | wc -c)
[ "$entries" -le "$(($1 / 1024))" ] || exit ${exitCodes.tooLarge}
blocks=$(($(cut -z -d' ' -f1 new | tr '\\0' '+')0))
[ "$((blocks * 512 + entries * 1024))" -le "$1" ] || exit ${exitCodes.tooLarge}
cmp -s old new && exit ${exitCodes.unchanged}
gzip -1 < new > new.gz && printf '%0${lengthDigits}d' "$(stat -c %s new.gz)" && cat new.gz || exit 1
if [ "$2" = all ]; then cat new; else comm -z -13 old new; fi | cut -z -d' ' -f6- > changed || exit 1
sleep 0.02
{ tar --create --format=posix --sparse --numeric-owner --no-recursion --ignore-failed-read --warning=no-file-ignored \\
    --directory=/ --null --files-from=/tmp/changed 2> /dev/null || [ $? -eq 1 ]; } | gzip -1
`

// Standard input contains each pack after its size. Before an archive is unpacked, the script deletes each entry whose path and
// type are not in the list of the pack. It makes read-only folders writable, and restores their modes after the last pack.
const unpack = `
exec 2>&1 5<&-
set -o pipefail
export LC_ALL=C
cd / || exit 1
present=/tmp/present-0
find workspace home/agent -xdev -printf '%y %p\\0' | sort -z > "$present" || exit 1
unpack() {
  length=$(head -c ${lengthDigits}) && head -c "$((10#$length))" | gzip -dc > /tmp/list || exit 1
  cut -z -d' ' -f5- /tmp/list | sort -z > "$1" &&
  comm -z -23 "$present" "$1" | cut -z -c3- > /tmp/obsolete || exit 1
  [ ! -s /tmp/read-only ] || find workspace home/agent -xdev -type d ! -perm -700 -exec chmod u+rwx -- {} ';' || exit 1
  [ ! -s /tmp/obsolete ] || xargs -0 rm -rf -- < /tmp/obsolete || exit 1
  gzip -dc | tar --extract --preserve-permissions --no-same-owner --delay-directory-restore || exit 1
  grep -azE '^[0-9]+ [0-9]+ [0-9.]+ ([0-7]{1,2}|[0-7]?[0-6][0-7][0-7]) d ' /tmp/list > /tmp/read-only || [ $? -eq 1 ]
}
while size=$(head -c ${lengthDigits}) && [ -n "$size" ]; do
  next=/tmp/present-$((\${present##*-} + 1))
  head -c "$((10#$size))" | unpack "$next" || exit 1
  present=$next
done
[ ! -s /tmp/read-only ] || cut -z -d' ' -f4,6- /tmp/read-only | sort -z -r -k2 |
  while IFS= read -r -d '' folder; do chmod "\${folder%% *}" -- "\${folder#* }" || exit 1; done
`

/**
 * Stores the files that have changed since the base as a pack. Stores all files if `isFull` is true or there is no usable base.
 * Runs inside the sandbox, so that links cannot point to the host; the host does not interpret paths.
 */
export async function takeCheckpoint(
  run: Run,
  folder: Folder,
  packs: SnapshotStore,
  { packId, base, isFull: isFullRequested, maxBytes, timeoutMs, signal }: CheckpointOptions,
): Promise<CheckpointResult> {
  const known = base === undefined ? undefined : await readList(folder, base)
  const isFull = isFullRequested || known === undefined
  const capture = captureList()
  const args = [String(maxBytes), isFull ? 'all' : 'changes']
  const program = { argv: ['/bin/bash', '-c', pack, 'checkpoint', ...args], readsAll: true }
  const write = async (sink: Writable): Promise<void> => {
    const result = await run(program, {
      stdin: known ?? emptyList,
      timeoutMs,
      maxOutputBytes: 0,
      ...(signal && { signal }),
      takeOutput: (output) => pipeline(output, (source) => capture.pass(source), sink, { end: false }),
    })
    if (result.exitCode === exitCodes.tooLarge) throw new PackAborted('tooLarge')
    if (result.exitCode === exitCodes.unchanged) throw new PackAborted('unchanged')
    if (result.exitCode !== 0) throw new SandboxError(`the checkpoint failed: ${explain(result)}`)
    sink.end()
  }
  try {
    const { sizeBytes } = await packs.save(folder.meta.source, write, { id: packId, maxBytes })
    await saveList(folder, packId, capture.list(), base)
    return { outcome: 'stored', bytes: sizeBytes, isFull }
  } catch (error) {
    if (error instanceof PackAborted) return { outcome: error.outcome }
    throw error
  }
}

/**
 * Restores the files of a checkpoint from its packs and returns the repository of the sandbox. Runs inside the sandbox, with
 * the rights of the agent. Throws `SnapshotGoneError` if a pack is missing or damaged.
 */
export async function restoreCheckpoint(run: Run, packs: SnapshotStore, packIds: string[]) {
  let restoredSource: Awaited<ReturnType<SnapshotStore['open']>>['source']
  const readPacks = async function* (): AsyncGenerator<Buffer> {
    for (const packId of packIds) {
      const { source, size, archive } = await packs.open(packId)
      restoredSource = source
      yield Buffer.from(String(size).padStart(lengthDigits, '0'))
      yield* archive as AsyncIterable<Buffer>
    }
  }
  const result = await run(
    { argv: ['/bin/bash', '-c', unpack] },
    { stdin: readPacks(), timeoutMs: restoreTimeoutMs, maxOutputBytes: 65_536 },
  )
  if (result.exitCode !== 0) throw new SnapshotGoneError(`the checkpoint could not be unpacked: ${explain(result)}`)
  return restoredSource
}

/** Thrown to abort the upload of a pack, because the files are unchanged or too large. */
class PackAborted extends Error {
  readonly outcome: 'tooLarge' | 'unchanged'
  constructor(outcome: 'tooLarge' | 'unchanged') {
    super(`nothing was stored: ${outcome}`)
    this.outcome = outcome
  }
}

/** Returns `pass`, which forwards the bytes of a pack, and `list`, which then returns the list of files at its start. */
function captureList() {
  const chunks: Buffer[] = []
  let size = 0
  let listEnd = Number.POSITIVE_INFINITY
  const collect = (chunk: Buffer): void => {
    if (size >= listEnd) return
    chunks.push(chunk)
    size += chunk.length
    if (listEnd === Number.POSITIVE_INFINITY && size >= lengthDigits) listEnd = parseListEnd(Buffer.concat(chunks))
  }
  return {
    pass: async function* (output: AsyncIterable<Buffer>) {
      for await (const chunk of output) {
        collect(chunk)
        yield chunk
      }
    },
    list: () => Buffer.concat(chunks).subarray(lengthDigits, listEnd),
  }
}

function parseListEnd(start: Buffer): number {
  const digits = start.toString('latin1', 0, lengthDigits)
  const bytes = lengthPattern.test(digits) ? Number(digits) : maxListBytes + 1
  if (bytes > maxListBytes) throw new SandboxError('the list of files in a checkpoint is invalid or too large')
  return lengthDigits + bytes
}

const listFolder = 'checkpoint'

function readList(folder: Folder, packId: string): Promise<Buffer | undefined> {
  return readFile(join(folder.path, listFolder, `${packId}.gz`)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

/** Stores the list of a pack next to the files, and deletes the lists of packs that are no longer a base. */
async function saveList(folder: Folder, packId: string, list: Buffer, base: string | undefined): Promise<void> {
  const path = join(folder.path, listFolder)
  await mkdir(path, { recursive: true, mode: 0o700 })
  await writeFile(join(path, `${packId}.gz`), list, { mode: 0o600, flag: 'wx' })
  const kept = [`${packId}.gz`, `${base}.gz`]
  for (const name of await readdir(path)) if (!kept.includes(name)) await rm(join(path, name), { force: true })
}

function explain({ timedOut, diskFull, complaint, output }: Awaited<ReturnType<Run>>): string {
  const reason = timedOut ? 'out of time' : diskFull ? 'out of disk space' : `${complaint}${output.toString()}`.trim()
  return reason.slice(0, 300)
}
