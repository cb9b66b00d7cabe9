import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ffmpeg } from '../media/decoded.ts'
import { eventually } from '../world/world.ts'

/** An ffmpeg in this folder that, while it is held, begins a video and goes no further. */
export const createHeldEncoder = async (folder: string) => {
  const path = join(folder, 'ffmpeg')
  const script = `#!/bin/sh
if [ -e "$0.hold" ]; then case "$*" in *libx264*) echo $$ > "$0.pid"; exec sleep 600;; esac; fi
exec ${await ffmpeg()} "$@"
`
  await writeFile(path, script, { mode: 0o755 })
  return {
    path,
    /** Answers, once a video is begun, a wait for the end of its process. */
    whileHeld: async (begin: () => Promise<void>): Promise<() => Promise<true>> => {
      await writeFile(`${path}.hold`, '')
      await begin()
      const pid = await eventually('its encoder', async () => {
        const text = await readFile(`${path}.pid`, 'utf8').catch(() => '')
        return text.endsWith('\n') ? Number(text) : undefined
      })
      await rm(`${path}.hold`)
      return () => eventually('the end of its encoder', async () => isGone(pid) || undefined)
    },
  }
}

const isGone = (pid: number): boolean => {
  try {
    return !process.kill(pid, 0)
  } catch {
    return true
  }
}
