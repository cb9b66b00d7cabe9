// The file is JavaScript, because processes without the TypeScript loader import it.
import { closeSync, readdirSync, readFileSync } from 'node:fs'

const closeOnExec = 0o2000000

/** True for a descriptor without close-on-exec. Node.js sets this flag on every descriptor that it opens itself. */
const isInherited = (descriptor) => {
  try {
    const [, flags] = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? []
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0
  } catch {
    // The descriptor of the directory listing is already closed.
    return false
  }
}

/**
 * Closes inherited descriptors other than standard input, output and error, so that child processes do not inherit them.
 * Does nothing on systems other than Linux, where Node.js does not pass them to child processes.
 */
export const closeInheritedDescriptors = () => {
  if (process.platform !== 'linux') return
  for (const descriptor of readdirSync('/proc/self/fd').map(Number))
    if (descriptor > 2 && isInherited(descriptor)) closeSync(descriptor)
}
