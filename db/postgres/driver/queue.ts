/** Connections, or queries that wait for one, in the interface of the driver. */
export type Queue<T> = {
  readonly length: number
  push(item: T): T
  shift(): T | undefined
  /** Returns the item, or null when it is not in the queue. */
  remove(item: T): T | null
}

/** Number of empty slots that are kept before the queue is compacted, unless there are more of them than of items. */
const keptPlaces = 64

/**
 * Replaces the driver's queue, which keeps the slot of every removed item until the queue is empty, and scans all of
 * them on every query: after a million queries on a pool that was never completely busy, each took half a millisecond
 * longer.
 */
export function createQueue<T>(initial: readonly T[] = []): Queue<T> {
  let items: (T | undefined)[] = [...initial]
  let first = 0
  const forgetPlaces = (): void => {
    if (first < keptPlaces || first * 2 < items.length) return
    items = items.slice(first)
    first = 0
  }
  return {
    get length() {
      return items.length - first
    },
    push: (item) => {
      items.push(item)
      return item
    },
    shift: () => {
      if (first === items.length) return undefined
      const item = items[first]
      items[first++] = undefined
      forgetPlaces()
      return item
    },
    remove: (item) => {
      const at = items.indexOf(item, first)
      if (at === -1) return null
      items.splice(at, 1)
      return item
    },
  }
}
