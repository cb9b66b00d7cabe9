// Plain JavaScript: processes that are started by bare Node use it, without the loader of the main process.
import { closeSync, readdirSync, readFileSync } from 'node:fs'

const closeOnExec = 0o2000000

/** Node and its libraries mark whatever they open to be closed when another program starts: the rest came from outside. */
const isInherited = (descriptor) => {
  try {
    const [, flags] = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? []
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0
  } catch {
    // The listing's own descriptor, which is closed by now.
    return false
  }
}

/**
 * Closes what the process that started this one left open beyond standard input, output and error, so that no program
 * that is started from here gets it. Linux only: elsewhere Node passes nothing on by itself.
 */
export const closeInheritedDescriptors = () => {
  if (process.platform !== 'linux') return
  for (const descriptor of readdirSync('/proc/self/fd').map(Number))
    if (descriptor > 2 && isInherited(descriptor)) closeSync(descriptor)
}
