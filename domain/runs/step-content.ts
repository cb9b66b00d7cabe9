/** A part of an assistant message, in the format of the AI SDK. */
export type StoredPart = { type: string; text?: string; toolCallId?: string; [field: string]: unknown }

/**
 * Returns the parts that each step of a run added to a message. A step with tool calls is identified by its call ids, and a
 * step without calls follows the previous step. Parts of earlier runs, which a message has if it was continued after an
 * approval, belong to no step. `callIds`: the call ids of each step, by step number.
 */
export function splitSteps(
  parts: readonly StoredPart[],
  callIds: ReadonlyMap<number, ReadonlySet<string>>,
): Map<number, StoredPart[]> {
  const segments = splitAtStarts(parts)
  const partsByStep = new Map<number, StoredPart[]>()
  let segmentIndex = -1
  for (const step of [...callIds.keys()].toSorted((a, b) => a - b)) {
    const ids = callIds.get(step) ?? new Set()
    const callIndex = segments.findIndex((segment) =>
      segment.some(({ toolCallId }) => toolCallId !== undefined && ids.has(toolCallId)),
    )
    if (callIndex !== -1) segmentIndex = callIndex
    else segmentIndex = partsByStep.size === 0 ? segments.length - 1 : segmentIndex + 1
    partsByStep.set(step, segments[segmentIndex] ?? [])
  }
  return partsByStep
}

/** Returns the text that a model wrote in a step. */
export function readStepText(parts: readonly StoredPart[]): string {
  return parts.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n\n')
}

/** Returns the reasoning of a model in a step. */
export function readStepReasoning(parts: readonly StoredPart[]): string {
  return parts.flatMap(({ type, text }) => (type === 'reasoning' && text !== undefined ? [text] : [])).join('\n\n')
}

function splitAtStarts(parts: readonly StoredPart[]): StoredPart[][] {
  const segments: StoredPart[][] = []
  for (const part of parts) {
    if (part.type === 'step-start' || segments.length === 0) segments.push([])
    if (part.type !== 'step-start') segments.at(-1)?.push(part)
  }
  return segments
}
