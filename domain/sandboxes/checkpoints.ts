/** Object that contains all files of a sandbox, or the files that changed since the previous pack. */
export type Pack = { id: string; bytes: number }

/** Maximum number of packs of a checkpoint. A restore from more packs would read too many objects. */
const maxPacks = 32
/** Minimum bytes of changes before all files are stored again, even if the files are smaller. */
const minChangedBytes = 4 * 1024 * 1024

/**
 * True if the next pack must contain all files: if it is the first pack, if the checkpoint has `maxPacks` packs, or if
 * the changes are larger than the files.
 */
export function needsAllFiles([first, ...changes]: Pack[]): boolean {
  if (first === undefined || changes.length + 1 >= maxPacks) return true
  const changedBytes = changes.reduce((sum, { bytes }) => sum + bytes, 0)
  return changedBytes > Math.max(first.bytes, minChangedBytes)
}
