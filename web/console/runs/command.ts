/** Fields of a call's input that say most about it, in this order. */
const telling = [
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
 * Describes a call by its input in one line, such as the command of a shell; empty if nothing does. `input`: JSON, which may
 * be cut off.
 */
export function describeInput(input: string | null): string {
  if (input === null) return ''
  for (const field of telling) {
    const found = new RegExp(`"${field}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)`).exec(input)?.[1]
    if (found !== undefined && found !== '') return firstLine(unescape(found))
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
