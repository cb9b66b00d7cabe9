/** Object that contains all files of a sandbox, or the files that changed since the previous pack. */
export type Pack = { id: string; bytes: number }

/** Maximum number of packs of a checkpoint. */
const maxPacks = 32
/** Fixed cost of restoring a pack (requests and processes), as the number of bytes that take the same time to restore. */
const packOverheadBytes = 512 * 1024

/**
 * True if the next pack must contain all files: if there is no pack, if the checkpoint has `maxPacks` packs, or if restoring
 * the packs with changes, including the next one, costs more than restoring the first pack. Each pack of a small sandbox
 * therefore contains all files.
 */
export function needsAllFiles([first, ...changes]: Pack[]): boolean {
  if (first === undefined || changes.length + 1 >= maxPacks) return true
  const changeCost = changes.reduce((sum, { bytes }) => sum + bytes + packOverheadBytes, packOverheadBytes)
  return changeCost > first.bytes
}
