import { streamingId } from '../../../domain/streaming-ids.ts'
import { ProviderError } from '../../fault.ts'
import type { Restriction } from './restriction.ts'

export type Reads<Item> = {
  /** Null for an id of nothing. */
  all: (ids: readonly string[]) => Promise<(Item | null)[]>
  /** Throws `not_found` for an id of nothing. */
  one: (id: string) => Promise<Item>
}

export function isId(text: string): boolean {
  return streamingId.safeParse(text).success
}

const maxConcurrentSingleReads = 4

/** One malformed id has the whole batch refused with this. */
const badRequest = '400'
const refusals = new Set<string | undefined>(['403', '404'])

/** Reads the objects of the ids in order: in one request if the application may do so, otherwise one by one. */
export async function readMany<Item>(
  ids: readonly string[],
  { all, one }: Reads<Item>,
  restriction: Restriction,
): Promise<Item[]> {
  const wanted = ids.filter(isId)
  if (wanted.length === 0) return []
  if (restriction.isKnown()) return readSingly(wanted, one)
  try {
    return (await all(wanted)).filter((item) => item !== null)
  } catch (error) {
    const code = error instanceof ProviderError ? error.code : undefined
    if (code !== badRequest && !refusals.has(code)) throw error
    const items = await readSingly(wanted, one)
    if (code !== badRequest) restriction.remember()
    return items
  }
}

async function readSingly<Item>(ids: readonly string[], one: Reads<Item>['one']): Promise<Item[]> {
  const found: (Item | undefined)[] = []
  const waiting = [...ids.entries()]
  const readWaiting = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      try {
        found[next[0]] = await one(next[1])
      } catch (error) {
        if (isNothing(error)) continue
        waiting.length = 0
        throw error
      }
  }
  await Promise.all(Array.from({ length: maxConcurrentSingleReads }, readWaiting))
  return found.filter((item) => item !== undefined)
}

/** The id is all that was sent. */
function isNothing(error: unknown): boolean {
  return error instanceof ProviderError && (error.kind === 'not_found' || error.kind === 'invalid')
}
