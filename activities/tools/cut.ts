/** Maximum bytes of the stored output of one call, minus the JSON around a text. */
const maxStoredBytes = 199_000

/** Returns the longest prefix of `text` with at most `characters` characters that fits a stored output as JSON. */
export function cutText(text: string, characters: number): string {
  let kept = text.slice(0, characters)
  while (jsonBytes(kept) > maxStoredBytes)
    kept = kept.slice(0, Math.floor((kept.length * maxStoredBytes) / jsonBytes(kept)))
  const last = kept.charCodeAt(kept.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? kept.slice(0, -1) : kept
}

/** Returns as many lines as fit a stored output as JSON. A first line that is too long on its own is cut. */
export function cutLines(lines: string[]): { kept: string[]; isCut: boolean } {
  let bytes = 0
  const fitting = lines.findIndex((line) => (bytes += jsonBytes(line) + 1) > maxStoredBytes)
  if (fitting === -1) return { kept: lines, isCut: false }
  return { kept: fitting === 0 ? [cutText(lines[0] ?? '', Infinity)] : lines.slice(0, fitting), isCut: true }
}

/** Returns as many items as fit a stored output as JSON. */
export function cutList<T>(items: T[]): T[] {
  let bytes = 0
  const fitting = items.findIndex((item) => (bytes += jsonBytes(item) + 1) > maxStoredBytes)
  return fitting === -1 ? items : items.slice(0, fitting)
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
