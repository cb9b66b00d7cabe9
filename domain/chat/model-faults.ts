/** Kinds of content that a model call can do without: a note stands in its place. */
const refusedKinds = ['image', 'audio', 'file', 'reasoning', 'tools'] as const
export type RefusedKind = (typeof refusedKinds)[number]

/** What a provider refused a call for, as far as its answer names it. */
export type ModelFault = RefusedKind | 'length' | 'policy' | 'unknown-model'

export function isRefusedKind(fault: ModelFault | undefined): fault is RefusedKind {
  return (refusedKinds as readonly (string | undefined)[]).includes(fault)
}

/** In this order: a refusal of reasoning often names the calls it belongs to, and one of a long chat everything. */
const named: readonly [RegExp, ModelFault][] = [
  [/context.{0,20}(?:length|window|size)|maximum context|too many (?:input )?tokens|prompt is too long/i, 'length'],
  [/content.?(?:policy|filter|management)|safety|moderation|flagged/i, 'policy'],
  [/reasoning|thinking|thought|signature/i, 'reasoning'],
  [/image|vision|multi.?modal/i, 'image'],
  [/audio/i, 'audio'],
  [/\b(?:file|pdf|document|attachment)s?\b/i, 'file'],
  [/tool|function/i, 'tools'],
]

/** What the refusal of a call is about, by its HTTP status and its text; undefined when nothing is named. */
export function findFault(status: number, text: string): ModelFault | undefined {
  if (status === 404) return 'unknown-model'
  if (status !== 400 && status !== 413 && status !== 415 && status !== 422) return undefined
  return named.find(([pattern]) => pattern.test(text))?.[1]
}
