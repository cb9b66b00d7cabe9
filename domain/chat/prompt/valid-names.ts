/** Characters that some vendors reject in names and ids. */
const invalidCharacters = /[^A-Za-z0-9_-]/g

const maxNameCharacters = 64
const maxIdCharacters = 40

/** Returns the name of a tool in a form that every vendor accepts. A valid name does not change. */
export function toValidToolName(name: string): string {
  return name.replace(invalidCharacters, '_').slice(0, maxNameCharacters) || 'unknown'
}

/**
 * Returns a function that makes the ids of a prompt's calls valid and unique, in order. The same history gets the same ids
 * in each model call, so that prompt caches apply.
 */
export function createValidIds(): (id: string) => string {
  const usedIds = new Set<string>()
  return (id) => {
    const valid = id.replace(invalidCharacters, '_').slice(0, maxIdCharacters) || 'call'
    let unique = valid
    for (let copy = 2; usedIds.has(unique); copy++) {
      const suffix = `_${copy}`
      unique = valid.slice(0, maxIdCharacters - suffix.length) + suffix
    }
    usedIds.add(unique)
    return unique
  }
}

/** Maps the tool names of one model call to valid, unique names and back. */
export function createToolNames(names: readonly string[]): {
  toWire: (name: string) => string
  fromWire: (name: string) => string
} {
  const wireNames = new Map<string, string>()
  const namesByWireName = new Map<string, string>()
  for (const name of names) {
    let valid = toValidToolName(name)
    for (let copy = 2; namesByWireName.has(valid); copy++) valid = `${valid.slice(0, maxNameCharacters - 4)}_${copy}`
    wireNames.set(name, valid)
    namesByWireName.set(valid, name)
  }
  return {
    toWire: (name) => wireNames.get(name) ?? toValidToolName(name),
    fromWire: (name) => namesByWireName.get(name) ?? name,
  }
}
