/** A call of a tool as the AI SDK keeps it. */
export type ToolPart = {
  type: string
  toolName?: string
  toolCallId: string
  state: 'input-streaming' | 'input-available' | 'output-available' | 'output-error'
  input?: unknown
  output?: unknown
  errorText?: string
  preliminary?: boolean
}

export type Fields = Record<string, unknown>

export function nameOf({ type, toolName }: ToolPart): string {
  return toolName ?? type.replace(/^tool-/, '')
}

/** Models write inputs and strangers write outputs: every member is looked at before it is shown. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** What is wrong, in words; undefined when nothing is. */
export function faultOf({ state, errorText, output }: ToolPart): string | undefined {
  if (state === 'output-error') return errorText ?? 'The call failed.'
  const { success, error } = fieldsOf(output)
  return success === false && error !== undefined ? textOf(error) : undefined
}
