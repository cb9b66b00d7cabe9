/**
 * Caches the last result of a pure function for each object, which must not change, and drops it with the object. The
 * remaining arguments are compared by identity. The parts of a message keep their identity from step to step of a turn,
 * so each step converts only what the step before it has added.
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
  for (let at = 0; at < some.length; at++) if (some[at] !== others[at]) return false
  return true
}
