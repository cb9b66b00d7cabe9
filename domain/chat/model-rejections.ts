/** Kinds of content that a note replaces after a provider has rejected it. */
const refusedKinds = ['image', 'audio', 'file', 'reasoning', 'tools'] as const
export type RefusedKind = (typeof refusedKinds)[number]

/** Cause of a provider's rejection, as far as its response identifies it. */
export type RejectionCause = RefusedKind | 'length' | 'policy' | 'unknown-model'

export function isRefusedKind(rejection: RejectionCause | undefined): rejection is RefusedKind {
  return (refusedKinds as readonly (string | undefined)[]).includes(rejection)
}

/** In order of precedence: a rejection of reasoning often mentions tools, and a rejection for length may mention any kind. */
const patterns: readonly [RegExp, RejectionCause][] = [
  [/context.{0,20}(?:length|window|size)|maximum context|too many (?:input )?tokens|prompt is too long/i, 'length'],
  [/content.?(?:policy|filter|management)|safety|moderation|flagged/i, 'policy'],
  [/reasoning|thinking|thought|signature/i, 'reasoning'],
  [/image|vision|multi.?modal/i, 'image'],
  [/audio/i, 'audio'],
  [/\b(?:file|pdf|document|attachment)s?\b/i, 'file'],
  [/tool|function/i, 'tools'],
]

/** Returns the cause of a rejected call by its HTTP status and text; undefined if it cannot be identified. */
export function findRejectionCause(status: number, text: string): RejectionCause | undefined {
  if (status === 404) return 'unknown-model'
  if (status !== 400 && status !== 413 && status !== 415 && status !== 422) return undefined
  return patterns.find(([pattern]) => pattern.test(text))?.[1]
}
