import { isPrefix, isSame } from './identity-cache.ts'

/** A fold over a list. `end` must not change the state, because the fold may continue with further items. */
type Fold<T, C extends readonly unknown[], S, R> = {
  start: (...context: C) => S
  add: (state: S, item: T, ...context: C) => void
  end: (state: S, ...context: C) => R
}

/**
 * Caches a fold per first item of the list. If a list extends the previous list with the same first item and context, only
 * the added items are folded. Items are compared by identity and must not change. A turn extends its history at each step.
 */
export function foldByPrefix<T extends object, C extends readonly unknown[], S, R>({
  start,
  add,
  end,
}: Fold<T, C, S, R>): (items: readonly T[], ...context: C) => R {
  const previous = new WeakMap<T, { items: readonly T[]; context: C; state: S }>()
  return (items, ...context) => {
    const [first] = items
    if (first === undefined) return end(start(...context), ...context)
    const cached = previous.get(first)
    const continues = cached !== undefined && isPrefix(cached.items, items) && isSame(cached.context, context)
    const state = continues ? cached.state : start(...context)
    // If `add` throws, the state contains a part of the items.
    previous.delete(first)
    for (let index = continues ? cached.items.length : 0; index < items.length; index++)
      add(state, items[index] as T, ...context)
    previous.set(first, { items: [...items], context, state })
    return end(state, ...context)
  }
}
