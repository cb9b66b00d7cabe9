const maxCharacters = 250
/** Names that git also interprets otherwise; case-insensitive, because some disks do not distinguish `head` from `HEAD`. */
const reserved = /^(?:@|head|refs)$/i
const pseudoRef =
  /^(?:[A-Z_]+_HEAD|AUTO_MERGE|MERGE_AUTOSTASH|BISECT_EXPECTED_REV|NOTES_MERGE_PARTIAL|NOTES_MERGE_REF)$/
const objectId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i
const refused = /[\p{Cc}\p{Cs} ~^:?*[\\]|\.\.|@\{/u

/** A short branch or tag name that git interprets as nothing else. */
export function isRefName(name: string): boolean {
  const segments = name.split('/')
  return (
    name.length <= maxCharacters &&
    !refused.test(name) &&
    !reserved.test(segments[0] ?? '') &&
    !pseudoRef.test(segments[0] ?? '') &&
    !objectId.test(name) &&
    segments.every(isSegment)
  )
}

/** A full ref name under `refs/heads` or `refs/tags`. */
export function isPushable(ref: string): boolean {
  return ['refs/heads/', 'refs/tags/'].some((place) => ref.startsWith(place) && isRefName(ref.slice(place.length)))
}

function isSegment(segment: string): boolean {
  return segment !== '' && !/^[.-]|\.$/.test(segment) && !segment.toLowerCase().endsWith('.lock')
}
