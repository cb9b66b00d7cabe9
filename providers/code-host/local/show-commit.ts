import { Readable } from 'node:stream'
import { findGitLine, gitStream } from '../git.ts'

const cutLine = '\n[The patch is longer than this page shows. Clone the repository to see all of it.]\n'

/** The message and patch of a commit as text, cut at `maxBytes`; undefined for an unknown commit. */
export async function showCommit(directory: string, commit: string, maxBytes: number): Promise<Readable | undefined> {
  const found = await findGitLine(directory, ['rev-parse', '--verify', '--quiet'], { outside: [`${commit}^{commit}`] })
  return found === undefined ? undefined : Readable.from(readPatch(directory, found, maxBytes), { objectMode: false })
}

async function* readPatch(directory: string, commit: string, maxBytes: number): AsyncGenerator<Uint8Array> {
  const options = ['show', '--stat', '--patch', '--no-color', '--no-ext-diff', '--no-textconv'] as const
  let left = maxBytes
  for await (const piece of gitStream(directory, options, { outside: [commit] })) {
    yield piece.subarray(0, left)
    left -= piece.length
    if (left < 0) break
  }
  if (left < 0) yield Buffer.from(cutLine)
}
