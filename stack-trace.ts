import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import { stdSerializers, type SerializedError } from 'pino'

const framePosition = /(file:\/\/[^\s():]{1,500}):(\d{1,9}):(\d{1,9})/g

/** Decoded source maps by file; null if the file has none. A map takes up to 25 MB, so it is held weakly. */
const maps = new Map<string, WeakRef<TraceMap> | null>()

/**
 * Returns the stack of an error, with the positions in the build replaced by the positions in the sources. Node's own support
 * for source maps is disabled. It reads every map at start. When any code reads the stack of an error, it decodes the maps of
 * its files for up to 160 ms each, and keeps them.
 */
export function readStack(error: Error): string {
  return toSources(error.stack ?? error.message)
}

/** Serializes an error and its causes for the log. */
export function serializeError(error: unknown): unknown {
  const serialized: unknown = stdSerializers.err(error as Error)
  if (serialized !== error && isSerialized(serialized)) replaceStacks(serialized)
  return serialized
}

/** Ends the process after an error that nothing catches, without printing the line of the build that threw it. */
export function exitOnUncaughtErrors(): void {
  process.on('uncaughtException', (error: unknown) => {
    process.stderr.write(`${toSources(inspect(error))}\n`)
    process.exit(1)
  })
}

function isSerialized(value: unknown): value is SerializedError {
  return typeof value === 'object' && value !== null && 'stack' in value && typeof value.stack === 'string'
}

function replaceStacks(error: SerializedError): void {
  error.stack = toSources(error.stack)
  for (const aggregated of error.aggregateErrors ?? []) replaceStacks(aggregated)
}

function toSources(stack: string): string {
  return stack.replace(framePosition, (text, file: string, line: string, column: string) => {
    const map = readMap(file)
    if (map === null) return text
    const { source, ...original } = originalPositionFor(map, { line: Number(line), column: Number(column) - 1 })
    // The sources of some packages are URLs of repositories.
    if (source?.startsWith('file:') !== true) return text
    return `${fileURLToPath(source)}:${original.line}:${(original.column ?? 0) + 1}`
  })
}

function readMap(file: string): TraceMap | null {
  const known = maps.get(file)
  const map = known?.deref()
  if (known === null || map !== undefined) return map ?? null
  try {
    const read = new TraceMap(readFileSync(new URL(`${file}.map`), 'utf8'), `${file}.map`)
    maps.set(file, new WeakRef(read))
    return read
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') maps.set(file, null)
    return null
  }
}
