import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import { stdSerializers, type SerializedError } from 'pino'

const framePosition = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g

/** Decoded source maps by file; null if the file has none. A map takes up to 25 MB, so the garbage collector may remove it. */
const maps = new Map<string, WeakRef<TraceMap> | null>()

/**
 * Returns the stack of an error, with the positions in the build replaced by the positions in the sources. Node's own support
 * for source maps is not enabled, because it reads every map at start, and decodes one for up to 160 ms, and keeps it, when any
 * code reads the stack of an error.
 */
export function readStack(error: Error): string {
  return toSources(error.stack ?? error.message)
}

/** Serializes an error for the log. */
export function serializeError(error: unknown): unknown {
  const serialized: unknown = stdSerializers.err(error as Error)
  if (serialized !== error && isSerialized(serialized)) serialized.stack = toSources(serialized.stack)
  return serialized
}

/** Ends the process after an error that nothing catches, without printing the line of the build that threw it. */
export function exitOnUncaughtErrors(): void {
  process.on('uncaughtException', (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? readStack(error) : String(error)}\n`)
    process.exit(1)
  })
}

function isSerialized(value: unknown): value is SerializedError {
  return typeof value === 'object' && value !== null && 'stack' in value && typeof value.stack === 'string'
}

function toSources(stack: string): string {
  return stack.replace(framePosition, (text, file: string, line: string, column: string) => {
    const map = readMap(file)
    const original = map && originalPositionFor(map, { line: Number(line), column: Number(column) - 1 })
    if (original === null || original.source === null) return text
    return `${fileURLToPath(original.source)}:${original.line}:${original.column + 1}`
  })
}

function readMap(file: string): TraceMap | null {
  const known = maps.get(file)
  const map = known === undefined ? null : (known?.deref() ?? null)
  if (known === null || map !== null) return map
  try {
    const read = new TraceMap(readFileSync(new URL(`${file}.map`), 'utf8'), `${file}.map`)
    maps.set(file, new WeakRef(read))
    return read
  } catch {
    maps.set(file, null)
    return null
  }
}
