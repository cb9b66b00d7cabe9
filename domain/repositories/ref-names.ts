const maxCharacters = 250
/** Names with another meaning for git. Case-insensitive: some file systems do not distinguish `head` from `HEAD`. */
const reserved = /^(?:@|head|refs)$/i
const pseudoRef =
  /^(?:[A-Z_]+_HEAD|AUTO_MERGE|MERGE_AUTOSTASH|BISECT_EXPECTED_REV|NOTES_MERGE_PARTIAL|NOTES_MERGE_REF)$/
const objectId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i
const forbiddenCharacters = /[\p{Cc}\p{Cs} ~^:?*[\\]|\.\.|@\{/u

/** True for a short branch or tag name that git cannot interpret in any other way. */
export function isRefName(name: string): boolean {
  const segments = name.split('/')
  return (
    name.length <= maxCharacters &&
    !forbiddenCharacters.test(name) &&
    !reserved.test(segments[0] ?? '') &&
    !pseudoRef.test(segments[0] ?? '') &&
    !objectId.test(name) &&
    segments.every(isSegment)
  )
}

/** True for a full ref name in `refs/heads` or `refs/tags`. */
export function isPushable(ref: string): boolean {
  return ['refs/heads/', 'refs/tags/'].some((prefix) => ref.startsWith(prefix) && isRefName(ref.slice(prefix.length)))
}

function isSegment(segment: string): boolean {
  return segment !== '' && !/^[.-]|\.$/.test(segment) && !segment.toLowerCase().endsWith('.lock')
}
