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

export type JsonObject = Record<string, unknown>

export function readToolName({ type, toolName }: ToolPart): string {
  return toolName ?? type.replace(/^tool-/, '')
}

/** Returns the value if it is an object; otherwise an empty object. Models and remote services may send any type. */
export function toJsonObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

export function toText(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
}

export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns the error message of a call; undefined if the call has no error. */
export function findError({ state, errorText, output }: ToolPart): string | undefined {
  if (state === 'output-error') return errorText ?? 'The call failed.'
  const { success, error } = toJsonObject(output)
  return success === false && error !== undefined ? toText(error) : undefined
}
