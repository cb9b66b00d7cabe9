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
    const known = results.get(key)
    if (known !== undefined && isSame(known.rest, rest)) return known.value
    const value = compute(key, ...rest)
    results.set(key, { rest, value })
    return value
  }
}

function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  if (some.length !== others.length) return false
  for (let index = 0; index < some.length; index++) if (some[index] !== others[index]) return false
  return true
}
