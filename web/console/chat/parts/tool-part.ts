/** A tool call in the format of the AI SDK. */
export type ToolPart = {
  type: string
  toolName?: string
  toolCallId: string
  state:
    | 'input-streaming'
    | 'input-available'
    | 'approval-requested'
    | 'approval-responded'
    | 'output-available'
    | 'output-error'
    | 'output-denied'
  approval?: { id: string; approved?: boolean; reason?: string }
  input?: unknown
  output?: unknown
  errorText?: string
  preliminary?: boolean
}

export type Fields = Record<string, unknown>

export function readToolName({ type, toolName }: ToolPart): string {
  return toolName ?? type.replace(/^tool-/, '')
}

/** Returns the fields of an untrusted value. Models write inputs and remote services outputs, so no type is assumed. */
export function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

export function toText(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
}

export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Describes the error of a call; undefined when the call has none. */
export function findFault({ state, errorText, output }: ToolPart): string | undefined {
  if (state === 'output-error') return errorText ?? 'The call failed.'
  const { success, error } = toFields(output)
  return success === false && error !== undefined ? toText(error) : undefined
}
