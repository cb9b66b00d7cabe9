import { streamingId } from '../../../domain/streaming-ids.ts'
import { ProviderError } from '../../errors/provider-error.ts'
import type { Restriction } from './restriction.ts'

export type Reads<Item> = {
  /** Reads several objects. Null for an unknown id. */
  readBatch: (ids: readonly string[]) => Promise<(Item | null)[]>
  /** Reads an object. Throws `not_found` for an unknown id. */
  readOne: (id: string) => Promise<Item>
}

export function isId(text: string): boolean {
  return streamingId.safeParse(text).success
}

const maxConcurrentSingleReads = 4

/** Status of a batch with a malformed id. */
const malformedIdCode = '400'
const restrictedCodes = new Set<string | undefined>(['403', '404'])

/** Reads the objects in the order of the ids. Sends one request if the app can read batches, otherwise one request per id. */
export async function readMany<Item>(
  ids: readonly string[],
  { readBatch, readOne }: Reads<Item>,
  restriction: Restriction,
): Promise<Item[]> {
  const validIds = ids.filter(isId)
  if (validIds.length === 0) return []
  if (restriction.isKnown()) return readIndividually(validIds, readOne)
  try {
    return (await readBatch(validIds)).filter((item) => item !== null)
  } catch (error) {
    const code = error instanceof ProviderError ? error.code : undefined
    if (code !== malformedIdCode && !restrictedCodes.has(code)) throw error
    const items = await readIndividually(validIds, readOne)
    if (code !== malformedIdCode) restriction.remember()
    return items
  }
}

async function readIndividually<Item>(ids: readonly string[], readOne: Reads<Item>['readOne']): Promise<Item[]> {
  const results: (Item | undefined)[] = []
  const queue = [...ids.entries()]
  const readQueue = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      try {
        results[next[0]] = await readOne(next[1])
      } catch (error) {
        if (isUnknownId(error)) continue
        queue.length = 0
        throw error
      }
  }
  await Promise.all(Array.from({ length: maxConcurrentSingleReads }, readQueue))
  return results.filter((item) => item !== undefined)
}

/** True if the error means that the id is unknown. This includes `invalid`, because the id is the only input. */
function isUnknownId(error: unknown): boolean {
  return error instanceof ProviderError && (error.kind === 'not_found' || error.kind === 'invalid')
}
