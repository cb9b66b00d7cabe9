/** Artists that are there to try what else a platform does. Digits may follow, to have several. */
const behaviours = ['unknown', 'failing', 'hanging', 'busy', 'garbage'] as const
export type ReservedBehavior = (typeof behaviours)[number]

/** Seconds that a busy platform asks for. */
export const busySeconds = 7

/** Returns the reserved behavior of an artist id; undefined for nearly all ids. */
export function findBehavior(artistId: string): ReservedBehavior | undefined {
  return behaviours.find(
    (behaviour) => artistId.startsWith(behaviour) && /^\d*$/.test(artistId.slice(behaviour.length)),
  )
}

/** `releases<n>`: an artist with exactly that many albums of ten tracks, of which no two share a recording. */
export function parseReleaseCount(artistId: string): number | undefined {
  const [, count] = /^releases(\d{1,3})$/.exec(artistId) ?? []
  return count === undefined ? undefined : Number(count)
}
