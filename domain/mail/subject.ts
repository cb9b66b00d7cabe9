import { firstCodePoints } from '../fields/fields.ts'

const maxCharacters = 120
/** Maximum characters of a line that are read for the subject. */
const maxLineCharacters = 1000
const fallback = 'Message from your workspace'

/** Returns the subject of an email, or derives it from the first line. `plainHtml` is the text of its HTML. */
export function deriveSubject(mail: { subject?: string; text?: string; plainHtml?: string }): string {
  const subject = oneLine(mail.subject ?? '')
  if (subject !== '') return subject
  return firstLine(mail.text ?? '', removeHeadingMarks) ?? firstLine(mail.plainHtml ?? '', (line) => line) ?? fallback
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim()
}

function firstLine(lines: string, clean: (line: string) => string): string | undefined {
  for (const line of lines.split(/[\r\n]+/)) {
    const words = oneLine(clean(line.trimStart().slice(0, maxLineCharacters)))
    if (words !== '') return truncate(words)
  }
  return undefined
}

function truncate(text: string): string {
  return firstCodePoints(text, maxCharacters).trim()
}

function removeHeadingMarks(line: string): string {
  return line.replace(/^\s{0,3}#{1,6}(?:\s+|$)/, '').replace(/(?<!\s)\s+#+\s*$/, '')
}
