import type { Readable, Writable } from 'node:stream'

export type Group = {
  argv: string[]
  env: Record<string, string>
  /** For input in pieces: the caller writes it to `input`. */
  stdin?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined
  /** Written to descriptor 3. */
  args: Uint8Array
  /** Written to descriptor 5. */
  script?: string | undefined
  /** Written to descriptor 6. */
  filter?: Uint8Array | undefined
  /** Set before the program has started another one, if this process is not held up. */
  niceness?: number | undefined
}

/** What the sandbox program itself had to say: its status descriptor, and its errors. Nothing from inside arrives there. */
export type GroupEnd = { status: string; complaint: string }

/**
 * Starts a program as its own process group with descriptors 3 (arguments), 4 (status), 5 (script) and 6 (filter). It finds
 * the id of its parent as PARENT.
 */
export function startGroup(
  group: Group,
  events: {
    onSpawn: (pid: number) => void
    onError: (error: Error) => void
    /** After its last process closed its output. */
    onClose: (end: GroupEnd) => void
  },
): { input: Writable | null; output: Readable; kill: () => void }

export function isBytes(stdin: Group['stdin']): stdin is string | Uint8Array
