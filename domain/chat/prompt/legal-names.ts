/** Characters of a name or an id that every vendor takes. */
const illegal = /[^A-Za-z0-9_-]/g

const maxNameCharacters = 64
const maxIdCharacters = 40

/** The name of a tool as every vendor takes it; a legal one is left as it is. */
export function legalToolName(name: string): string {
  return name.replace(illegal, '_').slice(0, maxNameCharacters) || 'unknown'
}

/**
 * Makes the ids of a prompt's calls legal and different from each other, in their order: the same history has the same
 * ids in each call, so that prompt caches keep it.
 */
export function createLegalIds(): (id: string) => string {
  const used = new Set<string>()
  return (id) => {
    const legal = id.replace(illegal, '_').slice(0, maxIdCharacters) || 'call'
    let unique = legal
    for (let copy = 2; used.has(unique); copy++) {
      const mark = `_${copy}`
      unique = legal.slice(0, maxIdCharacters - mark.length) + mark
    }
    used.add(unique)
    return unique
  }
}

/** Legal names for the tools of one call, and back to the tools' own. Two names never become one. */
export function createToolNames(names: readonly string[]): {
  toWire: (name: string) => string
  fromWire: (name: string) => string
} {
  const wire = new Map<string, string>()
  const own = new Map<string, string>()
  for (const name of names) {
    let legal = legalToolName(name)
    for (let copy = 2; own.has(legal); copy++) legal = `${legal.slice(0, maxNameCharacters - 4)}_${copy}`
    wire.set(name, legal)
    own.set(legal, name)
  }
  return {
    toWire: (name) => wire.get(name) ?? legalToolName(name),
    fromWire: (name) => own.get(name) ?? name,
  }
}
