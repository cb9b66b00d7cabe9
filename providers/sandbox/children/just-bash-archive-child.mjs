// Packs or unpacks the files of one sandbox for just-bash-archive.ts, in a process with only the rights of the sandbox. The
// file is JavaScript, because Node.js runs it without the TypeScript loader.
import { chmod, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { create, extract } from 'tar'
import { closeInheritedDescriptors } from './inherited-descriptors.mjs'

closeInheritedDescriptors()

const parts = ['workspace', 'home']
const kinds = ['File', 'OldFile', 'Directory']

const isPacked = (_, stat) => stat.isFile() || stat.isDirectory()
const isUnpacked = (name, entry) => parts.includes(name.split('/')[0]) && kinds.includes(entry.type)

/** Makes files readable for their owner. File modes have no meaning in the simulated shell. */
const openForOwner = async (path) => {
  const { mode } = await lstat(path)
  if ((mode & 0o700) !== 0o700) await chmod(path, (mode & 0o777) | 0o700)
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inside = join(path, entry.name)
    if (entry.isDirectory()) await openForOwner(inside)
    else if (entry.isFile() && ((await lstat(inside)).mode & 0o400) === 0) await chmod(inside, 0o600)
  }
}

const pack = async ({ path }) => {
  for (const part of parts) await openForOwner(join(path, part))
  const archive = create({ cwd: path, gzip: { level: 1 }, portable: true, strict: true, filter: isPacked }, parts)
  await pipeline(archive, process.stdout)
}

const unpack = async ({ path }) => {
  const files = extract({
    cwd: path,
    strict: true,
    preserveOwner: false,
    // The disk limits the size, and highly compressible files are allowed.
    maxDecompressionRatio: Infinity,
    filter: isUnpacked,
  })
  await pipeline(process.stdin, files)
}

const operations = { pack, unpack }

process.once('disconnect', () => process.exit(0))

const serve = async (request) => {
  const result = await operations[request.operation](request).then(
    () => ({}),
    (error) => ({ error: String(error?.message ?? error).slice(0, 500) }),
  )
  process.send(result, () => process.exit(0))
}

process.once('message', (request) => void serve(request))
