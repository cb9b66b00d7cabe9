import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Program } from './program.ts'
import { SandboxError } from '../index.ts'
import type { GroupOptions, GroupResult } from '../local/process-group.ts'

type Run = (
  program: Program,
  options: Pick<GroupOptions, 'stdin' | 'takeOutput' | 'timeoutMs' | 'maxOutputBytes'>,
) => Promise<GroupResult & { diskFull: boolean }>

const timeoutMs = 10 * 60 * 1000

// Exit code 1 of tar: a file changed while it was read. The archive then has old or new content, as after a power loss.
const pack = `
exec 5<&-
set -o pipefail
{ tar --create --format=posix --sparse --numeric-owner --one-file-system --warning=no-file-ignored \\
    --transform 'flags=rSh;s,^home/agent,home,' --directory=/ workspace home/agent || [ $? -eq 1 ]; } | gzip -1
`

const unpack = `
exec 2>&1 5<&-
set -o pipefail
gzip -dc | tar --extract --preserve-permissions --no-same-owner --delay-directory-restore \\
  --transform 'flags=rSh;s,^home,home/agent,' --directory=/ workspace home
`

/** Writes the files of a sandbox as a compressed archive. Runs inside the sandbox, so that links cannot point to the host. */
export async function packFiles(run: Run, sink: Writable): Promise<void> {
  const result = await run(
    { argv: ['/bin/bash', '-c', pack], readsAll: true },
    { timeoutMs, maxOutputBytes: 0, takeOutput: (output) => pipeline(output, sink, { end: false }) },
  )
  requireSuccess(result, 'the snapshot could not be made')
  sink.end()
}

/** Unpacks an archive inside the sandbox, with the rights and the disk limit of the agent. */
export async function unpackFiles(run: Run, archive: Readable): Promise<void> {
  const result = await run({ argv: ['/bin/bash', '-c', unpack] }, { stdin: archive, timeoutMs, maxOutputBytes: 65_536 })
  requireSuccess(result, 'the snapshot could not be unpacked')
}

function requireSuccess(
  { exitCode, timedOut, diskFull, complaint, output }: Awaited<ReturnType<Run>>,
  failure: string,
): void {
  if (exitCode === 0) return
  const reason = timedOut ? 'out of time' : diskFull ? 'out of disk space' : `${complaint}${output.toString()}`.trim()
  throw new SandboxError(`${failure}: ${reason.slice(0, 300)}`)
}
