import { randomInt } from 'node:crypto'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { requireFfmpeg } from '../media/decoded.ts'
import { eventually } from '../world/world.ts'

/** Writes a script `ffmpeg` to the folder. While it is held, the script starts to encode a video but never finishes. */
export const createHeldEncoder = async (folder: string) => {
  const path = join(folder, 'ffmpeg')
  // The random time identifies this process among all processes of the machine.
  const sleep = ['sleep', `600.${randomInt(1e9)}`]
  const write = async (isHeld: boolean): Promise<void> => {
    const hold = isHeld ? `case "$*" in *libx264*) exec ${sleep.join(' ')};; esac\n` : ''
    await writeFile(`${path}.new`, `#!/bin/sh\n${hold}exec ${await requireFfmpeg()} "$@"\n`, { mode: 0o755 })
    await rename(`${path}.new`, path)
  }
  await write(false)
  return {
    path,
    /** Calls `begin` and waits for the held encoder. Returns a function that waits for the end of its process. */
    whileHeld: async (begin: () => Promise<void>): Promise<() => Promise<true>> => {
      await write(true)
      await begin()
      await eventually('the encoder', async () => (await isRunning(sleep)) || undefined)
      await write(false)
      return () => eventually('the end of the encoder', async () => !(await isRunning(sleep)) || undefined)
    },
  }
}

const isRunning = async (command: string[]): Promise<boolean> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return lines.includes(`${command.join('\0')}\0`)
}
