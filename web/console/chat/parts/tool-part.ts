import { toRecord } from '../../access/json.ts'

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

export function readToolName({ type, toolName }: ToolPart): string {
  return toolName ?? type.replace(/^tool-/, '')
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
  const { success, error } = toRecord(output)
  return success === false && error !== undefined ? toText(error) : undefined
}
