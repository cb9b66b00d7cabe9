/** A part of an assistant message, in the format of the AI SDK. */
export type StoredPart = { type: string; text?: string; toolCallId?: string; [field: string]: unknown }

/**
 * Returns the parts that each of the steps added to a message. A step with calls is found by one of them, and one without by
 * its place: it follows the step before it. A message that was continued after an approval also has the parts of earlier
 * runs, which no step of this run claims. `callIds`: those of each step, by its number.
 */
export function splitSteps(
  parts: readonly StoredPart[],
  callIds: ReadonlyMap<number, ReadonlySet<string>>,
): Map<number, StoredPart[]> {
  const segments = splitAtStarts(parts)
  const found = new Map<number, StoredPart[]>()
  let place = -1
  for (const step of [...callIds.keys()].toSorted((a, b) => a - b)) {
    const ids = callIds.get(step) ?? new Set()
    const named = segments.findIndex((segment) =>
      segment.some(({ toolCallId }) => toolCallId !== undefined && ids.has(toolCallId)),
    )
    if (named !== -1) place = named
    else place = found.size === 0 ? segments.length - 1 : place + 1
    found.set(step, segments[place] ?? [])
  }
  return found
}

/** The text that a model wrote in a step. */
export function readStepText(parts: readonly StoredPart[]): string {
  return parts.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n\n')
}

/** The reasoning that a model showed in a step. */
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
