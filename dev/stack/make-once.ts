import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Print } from '../say.ts'
import { acquireLock } from './file-lock.ts'

type Product = {
  /** Path in the cache. The lock is next to it. */
  path: string
  /** Name for messages, such as `the Temporal CLI`. */
  name: string
  find: () => string | undefined
  make: () => Promise<string>
}

/** Returns the path of a product. If it is missing, one process makes it, and concurrent processes wait. */
export async function makeOnce({ path, name, find, make }: Product, print: Print): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  for (let isAnnounced = false; ; isAnnounced = true) {
    const lock = await acquireLock(`${path}.locks`)
    if ('release' in lock) {
      try {
        return find() ?? (await make())
      } finally {
        await lock.release()
      }
    }
    if (!isAnnounced) print(`Another process (${lock.pid}) is installing ${name}: waiting for it.`)
    await pause(500)
  }
}
