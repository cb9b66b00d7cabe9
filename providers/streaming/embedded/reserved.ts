/** Ids of artists that simulate failures of a platform. Digits can follow. */
const behaviors = ['unknown', 'failing', 'hanging', 'busy', 'garbage'] as const
export type ReservedBehavior = (typeof behaviors)[number]

/** `Retry-After` of the behavior `busy`. */
export const busySeconds = 7

/** Returns the reserved behavior of an artist id; undefined for nearly all ids. */
export function findBehavior(artistId: string): ReservedBehavior | undefined {
  return behaviors.find((behavior) => artistId.startsWith(behavior) && /^\d*$/.test(artistId.slice(behavior.length)))
}

/** Returns `n` for an artist id `releases<n>`. The artist has `n` albums of ten tracks, all with different recordings. */
export function parseReleaseCount(artistId: string): number | undefined {
  const [, count] = /^releases(\d{1,3})$/.exec(artistId) ?? []
  return count === undefined ? undefined : Number(count)
}
