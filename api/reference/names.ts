export function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Converts `not_found` with the separator `_` to `NotFound`. */
export function pascalCase(name: string, separator: string): string {
  return name.split(separator).map(capitalize).join('')
}
