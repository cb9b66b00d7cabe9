/** Returns a 32-bit hash of a text that spreads similar texts evenly. Not for secrets. */
export function hashText(text: string): number {
  // FNV-1a, followed by the finalizer of MurmurHash3, because FNV-1a alone barely mixes the last characters.
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
