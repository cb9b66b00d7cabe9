import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memoryFolder = '/dev/shm'
const prefix = 'backline-scratch-'

/** Required free space: the maximum size of a suite's files, and the same again for its processes. */
const requiredBytes = 8 * 1024 ** 3

/**
 * Creates a folder for all files of a suite, in memory if enough is available, because creating and deleting the files on a
 * disk takes a fifth of the suite's CPU time. Deletes the folders of killed suites.
 */
export async function openScratch(): Promise<{ folder: string; close(): Promise<void> }> {
  const base = (await canUseMemory()) ? memoryFolder : tmpdir()
  await removeLeftovers(base)
  const folder = await mkdtemp(join(base, `${prefix}${process.pid}-`))
  // Some processes of a suite run as another user.
  await chmod(folder, 0o755)
  return { folder, close: () => rm(folder, { recursive: true, force: true }) }
}

/** Returns whether the memory file system has enough space and allows the execution of programs. */
async function canUseMemory(): Promise<boolean> {
  if (process.platform !== 'linux' || !existsSync(memoryFolder)) return false
  const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' '))
  const options = mounts.find(([, mountPoint]) => mountPoint === memoryFolder)?.[3]?.split(',') ?? ['ro']
  const [, kibibytes = 0] = /^MemAvailable:\s+(\d+)/m.exec(await readFile('/proc/meminfo', 'utf8')) ?? []
  const { bavail, bsize } = await statfs(memoryFolder)
  const fits = Math.min(Number(kibibytes) * 1024, bavail * bsize) >= requiredBytes
  return fits && !options.includes('noexec') && !options.includes('ro')
}

async function removeLeftovers(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    if (!name.startsWith(prefix)) continue
    const [pid = ''] = name.slice(prefix.length).split('-')
    if (!existsSync(`/proc/${pid}`)) await rm(join(base, name), { recursive: true, force: true })
  }
}
