/** Object that contains all files of a sandbox, or the files that changed since the previous pack. */
export type Pack = { id: string; bytes: number }

/** Maximum number of packs of a checkpoint. */
const maxPacks = 32
/** Cost of a pack in a restore: its requests and processes take as long as these bytes of content. */
const packOverheadBytes = 512 * 1024

/**
 * True if the next pack must contain all files: if it is the first pack, if the checkpoint has `maxPacks` packs, or if
 * restoring the changes costs more than restoring the files. Each pack of a small sandbox therefore contains all files.
 */
export function needsAllFiles([first, ...changes]: Pack[]): boolean {
  if (first === undefined || changes.length + 1 >= maxPacks) return true
  const changeCost = changes.reduce((sum, { bytes }) => sum + bytes + packOverheadBytes, packOverheadBytes)
  return changeCost > first.bytes
}
