import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Print } from '../say.ts'
import { takeLock } from './file-lock.ts'

type Product = {
  /** Location in the cache; its lock file is beside it. */
  path: string
  /** For people: `the Temporal CLI`. */
  name: string
  find: () => string | undefined
  make: () => Promise<string>
}

/** Makes a product in the cache. Of the processes that need it at the same time, one makes it and the others wait. */
export async function makeOnce({ path, name, find, make }: Product, print: Print): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  for (let isAnnounced = false; ; isAnnounced = true) {
    const lock = await takeLock(`${path}.locks`)
    if ('release' in lock) {
      try {
        return find() ?? (await make())
      } finally {
        await lock.release()
      }
    }
    if (!isAnnounced) print(`Another process (${lock.pid}) is fetching ${name}: waiting for it.`)
    await pause(500)
  }
}
