/** Characters that some vendor rejects in names and ids. */
const invalidCharacters = /[^A-Za-z0-9_-]/g

const maxNameCharacters = 64
const maxIdCharacters = 40

/** Returns the name of a tool in a form that every vendor accepts. A valid name does not change. */
export function legalToolName(name: string): string {
  return name.replace(invalidCharacters, '_').slice(0, maxNameCharacters) || 'unknown'
}

/**
 * Returns a function that makes the ids of a prompt's calls valid and unique, in order. The same history gets the same ids
 * in each model call, so that prompt caches apply.
 */
export function createLegalIds(): (id: string) => string {
  const usedIds = new Set<string>()
  return (id) => {
    const legal = id.replace(invalidCharacters, '_').slice(0, maxIdCharacters) || 'call'
    let unique = legal
    for (let copy = 2; usedIds.has(unique); copy++) {
      const suffix = `_${copy}`
      unique = legal.slice(0, maxIdCharacters - suffix.length) + suffix
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
    let legal = legalToolName(name)
    for (let copy = 2; namesByWireName.has(legal); copy++) legal = `${legal.slice(0, maxNameCharacters - 4)}_${copy}`
    wireNames.set(name, legal)
    namesByWireName.set(legal, name)
  }
  return {
    toWire: (name) => wireNames.get(name) ?? legalToolName(name),
    fromWire: (name) => namesByWireName.get(name) ?? name,
  }
}
