const maxCharacters = 250
/** Names by which git means something else than a branch or a tag; not every disk tells `head` from `HEAD`. */
const reserved = /^(?:@|head|refs)$/i
const pseudoRef =
  /^(?:[A-Z_]+_HEAD|AUTO_MERGE|MERGE_AUTOSTASH|BISECT_EXPECTED_REV|NOTES_MERGE_PARTIAL|NOTES_MERGE_REF)$/
const objectId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i
const refused = /[\p{Cc}\p{Cs} ~^:?*[\\]|\.\.|@\{/u

/** A short name of a branch or tag which git, in every place, takes for this and for nothing else. */
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

/** A whole name under `refs/heads` or `refs/tags`. */
export function isPushable(ref: string): boolean {
  return ['refs/heads/', 'refs/tags/'].some((place) => ref.startsWith(place) && isRefName(ref.slice(place.length)))
}

function isSegment(segment: string): boolean {
  return segment !== '' && !/^[.-]|\.$/.test(segment) && !segment.toLowerCase().endsWith('.lock')
}
