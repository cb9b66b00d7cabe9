import { Readable } from 'node:stream'
import { findGitLine, gitStream } from '../git.ts'

const truncationNotice = '\n[The patch is truncated. Clone the repository to see the rest.]\n'

/** Returns the message and patch of a commit as text, cut at `maxBytes`; undefined for an unknown commit. */
export async function showCommit(directory: string, commit: string, maxBytes: number): Promise<Readable | undefined> {
  const id = await findGitLine(directory, ['rev-parse', '--verify', '--quiet'], { external: [`${commit}^{commit}`] })
  return id === undefined ? undefined : Readable.from(readPatch(directory, id, maxBytes), { objectMode: false })
}

async function* readPatch(directory: string, commit: string, maxBytes: number): AsyncGenerator<Uint8Array> {
  const options = ['show', '--stat', '--patch', '--no-color', '--no-ext-diff', '--no-textconv'] as const
  let remaining = maxBytes
  for await (const chunk of gitStream(directory, options, { external: [commit] })) {
    yield chunk.subarray(0, remaining)
    remaining -= chunk.length
    if (remaining < 0) break
  }
  if (remaining < 0) yield Buffer.from(truncationNotice)
}
