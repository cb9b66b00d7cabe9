/** Maximum bytes of the stored output of one call, minus the JSON around a text. */
const maxStoredBytes = 199_000

/** Returns the longest prefix of `text` with at most `characters` characters that fits a stored output as JSON. */
export function cutText(text: string, characters: number): string {
  let prefix = text.slice(0, characters)
  while (jsonBytes(prefix) > maxStoredBytes)
    prefix = prefix.slice(0, Math.floor((prefix.length * maxStoredBytes) / jsonBytes(prefix)))
  const lastUnit = prefix.charCodeAt(prefix.length - 1)
  return lastUnit >= 0xd800 && lastUnit <= 0xdbff ? prefix.slice(0, -1) : prefix
}

/** Returns as many lines as fit a stored output as JSON. Cuts the first line if it is too long. */
export function cutLines(lines: string[]): { lines: string[]; isCut: boolean } {
  let bytes = 0
  const fittingCount = lines.findIndex((line) => (bytes += jsonBytes(line) + 1) > maxStoredBytes)
  if (fittingCount === -1) return { lines, isCut: false }
  return { lines: fittingCount === 0 ? [cutText(lines[0] ?? '', Infinity)] : lines.slice(0, fittingCount), isCut: true }
}

/** Returns as many items as fit a stored output as JSON. */
export function cutList<T>(items: T[]): T[] {
  let bytes = 0
  const fittingCount = items.findIndex((item) => (bytes += jsonBytes(item) + 1) > maxStoredBytes)
  return fittingCount === -1 ? items : items.slice(0, fittingCount)
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
