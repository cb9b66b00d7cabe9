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

export function readToolName({ type, toolName }: ToolPart): string {
  return toolName ?? type.replace(/^tool-/, '')
}

/** Models write inputs and strangers write outputs: every member is looked at before it is shown. */
export function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

export function toText(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
}

export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** What is wrong, in words; undefined when nothing is. */
export function findFault({ state, errorText, output }: ToolPart): string | undefined {
  if (state === 'output-error') return errorText ?? 'The call failed.'
  const { success, error } = toFields(output)
  return success === false && error !== undefined ? toText(error) : undefined
}
