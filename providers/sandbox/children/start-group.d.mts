import type { Readable, Writable } from 'node:stream'

export type Group = {
  argv: string[]
  env: Record<string, string>
  /** Standard input. The caller writes an iterable to `input` itself. */
  stdin?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined
  /** Written to descriptor 3. */
  args: Uint8Array
  /** Written to descriptor 5. */
  script?: string | undefined
  /** Written to descriptor 6. */
  filter?: Uint8Array | undefined
  /** Niceness of the group, which is normally set before the program starts other processes. */
  niceness?: number | undefined
}

/** Output of the sandbox program itself: status descriptor and standard error. Programs inside cannot write to them. */
export type GroupEnd = { status: string; complaint: string }

/**
 * Starts a program as a new process group with descriptors 3 (arguments), 4 (status), 5 (script) and 6 (filter). The
 * environment variable PARENT has the id of its parent process.
 */
export function startGroup(
  group: Group,
  events: {
    onSpawn: (pid: number) => void
    onError: (error: Error) => void
    /** Called after the last process of the group has closed its output. */
    onClose: (end: GroupEnd) => void
  },
): { input: Writable | null; output: Readable; kill: () => void }

export function isBytes(stdin: Group['stdin']): stdin is string | Uint8Array
