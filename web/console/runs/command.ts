/** Input fields that best describe a call, in order of preference. */
const descriptiveFields = [
  'command',
  'filePath',
  'path',
  'pattern',
  'query',
  'url',
  'question',
  'task',
  'prompt',
  'name',
  'title',
]

/**
 * Describes a call in one line by its input, such as a shell command. Returns an empty string if no field is suitable.
 * `input`: JSON, possibly truncated.
 */
export function describeInput(input: string | null): string {
  if (input === null) return ''
  for (const field of descriptiveFields) {
    const value = new RegExp(`"${field}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)`).exec(input)?.[1]
    if (value !== undefined && value !== '') return firstLine(unescape(value))
  }
  return ''
}

function unescape(text: string): string {
  try {
    return JSON.parse(`"${text.replace(/\\u?[0-9a-f]{0,3}$/i, '')}"`) as string
  } catch {
    return text
  }
}

function firstLine(text: string): string {
  const [line = '', ...others] = text.trim().split('\n')
  return others.length === 0 ? line : `${line} …`
}
