import type { Frame, LogFrame } from './evidence.ts'

/** A message part in a form in which parts that were folded from frames can be compared with stored parts. */
export type ShownPart = {
  kind: string
  /** The text of a text or reasoning part. */
  text?: string
  /** The id of the part within the run, or of the tool call. */
  id?: string
  /** All other visible members, as JSON. */
  rest?: string
}

type Retraction = { fromIndex: number; toIndex: number }

const isInRange = (index: number, { fromIndex, toIndex }: Retraction): boolean => index >= fromIndex && index <= toIndex

export const listRetractions = (log: readonly LogFrame[]): Retraction[] =>
  log.filter(({ frame }) => frame.type === 'data-retract').map(({ frame }) => frame['data'] as Retraction)

/** Returns the frames that none of the retractions covers. */
export const withoutRetracted = (log: readonly LogFrame[], retracted: readonly Retraction[]): LogFrame[] =>
  log.filter(({ index }) => !retracted.some((range) => isInRange(index, range)))

const textKinds: Record<string, [kind: string, end: string]> = {
  text: ['text', 'text-end'],
  reasoning: ['reasoning', 'reasoning-end'],
}

/** Returns text and reasoning parts in order of appearance. `begun` and `whole`: whether a part has its start and end. */
export const foldTexts = (
  log: readonly LogFrame[],
): (ShownPart & { whole: boolean; begun: boolean; text: string })[] => {
  const parts = new Map<string, ShownPart & { whole: boolean; begun: boolean; text: string }>()
  for (const { frame } of log) {
    const [name = ''] = frame.type.split('-')
    const kind = textKinds[name]
    if (kind === undefined) continue
    const id = String(frame['id'])
    const part = parts.get(id) ?? { kind: kind[0], id, text: '', whole: false, begun: false }
    if (frame.type.endsWith('-start')) part.begun = true
    if (frame.type.endsWith('-delta')) part.text += String(frame['delta'])
    if (frame.type === kind[1]) part.whole = true
    parts.set(id, part)
  }
  return [...parts.values()]
}

export type FoldedCall = { id: string; name: string; input: unknown; output?: unknown; error?: string; index: number }

/** Returns the tool calls of these frames with their results. */
export const foldCalls = (log: readonly LogFrame[]): FoldedCall[] => {
  const calls = new Map<string, FoldedCall>()
  for (const { frame, index } of log) {
    const id = String(frame['toolCallId'])
    const call = calls.get(id) ?? { id, name: String(frame['toolName']), input: undefined, index }
    if (frame.type === 'tool-input-available' || frame.type === 'tool-input-error') call.input = frame['input']
    if (frame.type === 'tool-output-available' && frame['preliminary'] !== true) call.output = frame['output']
    if (frame.type === 'tool-output-error' || frame.type === 'tool-input-error') call.error = String(frame['errorText'])
    if (frame.type.startsWith('tool-')) calls.set(id, call)
  }
  return [...calls.values()]
}

const toShownCall = (
  id: string,
  name: string,
  members: { input: unknown; output: unknown; error: unknown },
): ShownPart => ({
  kind: `tool-${name}`,
  id,
  rest: JSON.stringify([members.input ?? null, members.output ?? null, members.error ?? null]),
})

const foldPlainPart = (frame: Frame): ShownPart => {
  const { type, ...rest } = frame
  return { kind: type, rest: JSON.stringify(rest) }
}

/** Folds the frames of one run into the parts of a message. */
export const foldRun = (log: readonly LogFrame[]): ShownPart[] => foldRuns([log])

/** Folds the frames of several runs into the parts of a message. A run may execute calls of the previous run. */
export const foldRuns = (logs: readonly (readonly LogFrame[])[]): ShownPart[] => {
  const runs = logs.map((log) => withoutRetracted(log, listRetractions(log)))
  const calls = new Map(foldCalls(runs.flat()).map((call) => [call.id, call]))
  return runs.flatMap((frames) => foldFrames(frames, calls))
}

/** Folds frames into parts. Removes each folded call from `calls`. */
const foldFrames = (frames: readonly LogFrame[], calls: Map<string, FoldedCall>): ShownPart[] => {
  const texts = new Map(foldTexts(frames).map((part) => [part.id, part]))
  const seen = new Set<string>()
  const parts: ShownPart[] = []
  const addOnce = (id: string, part: ShownPart | undefined): void => {
    if (part !== undefined && !seen.has(id)) parts.push(part)
    seen.add(id)
  }
  for (const { frame } of frames) {
    const { type } = frame
    const call = calls.get(String(frame['toolCallId']))
    const text = texts.get(String(frame['id']))
    if (type === 'start-step') parts.push({ kind: 'step-start' })
    else if (type === 'text-start' || type === 'reasoning-start')
      addOnce(String(frame['id']), text && { kind: text.kind, text: text.text })
    else if (type.startsWith('tool-') && call !== undefined) {
      const { input, output, error } = call
      parts.push(toShownCall(call.id, call.name, { input, output, error }))
      calls.delete(call.id)
    } else if (type === 'file' || type.startsWith('source-')) parts.push(foldPlainPart(frame))
    else if (type.startsWith('data-') && frame['transient'] !== true) {
      const { id, data } = frames.findLast(
        (candidate) => candidate.frame.type === type && candidate.frame['id'] === frame['id'],
      )!.frame
      addOnce(`${type} ${String(id)}`, foldPlainPart({ type, ...(id !== undefined && { id }), data }))
    }
  }
  return parts
}

/** Converts a stored part into the comparable form. */
export const foldStored = (part: Record<string, unknown>): ShownPart => {
  const type = String(part['type'])
  if (type === 'text' || type === 'reasoning') return { kind: type, text: String(part['text']) }
  if (type === 'step-start') return { kind: type }
  if (!type.startsWith('tool-')) return foldPlainPart({ ...part, type })
  return toShownCall(String(part['toolCallId']), type.slice(5), {
    input: part['input'],
    output: part['output'],
    error: part['errorText'],
  })
}

/** Returns the visible text of a message. */
export const getVisibleText = (parts: readonly ShownPart[]): string =>
  parts.map((part) => (part.kind === 'text' ? (part.text ?? '') : '')).join('')
