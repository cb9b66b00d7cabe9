/**
 * Caches the last result of a pure function per object, as long as the object exists. The object must not change, and the
 * other arguments are compared by identity. Message parts keep their identity across the steps of a turn, so that each
 * step converts only the parts that the previous step added.
 */
export function cachedByIdentity<K extends object, A extends readonly unknown[], V>(
  compute: (key: K, ...rest: A) => V,
): (key: K, ...rest: A) => V {
  const results = new WeakMap<K, { rest: A; value: V }>()
  return (key, ...rest) => {
    const cached = results.get(key)
    if (cached !== undefined && isSame(cached.rest, rest)) return cached.value
    const value = compute(key, ...rest)
    results.set(key, { rest, value })
    return value
  }
}

export function isSame(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && isPrefix(left, right)
}

export function isPrefix(prefix: readonly unknown[], items: readonly unknown[]): boolean {
  if (prefix.length > items.length) return false
  for (let index = 0; index < prefix.length; index++) if (prefix[index] !== items[index]) return false
  return true
}
