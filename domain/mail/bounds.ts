const maxMarkdown = 100_000
const maxNesting = 20
const maxIndent = 200
// Of one paragraph, list or table: the parser's time grows with the cube of these, and the sum of the cubes is its work.
const maxMarks = 500
const maxWork = 6e8

const marks = /[*_~]+|`+|!?\[/g
const prefix = /^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])(?=[ \t>*+-]|$))+/
const nesting = /[>*+-]|\d{1,9}[.)]/g
const rule = /^[ \t]*([*-])(?:[ \t]*\1)+[ \t]*$/
const indent = /^[ \t]*/

/**
 * True for Markdown that a parser reads in good time. Parsers take long for little text that nests or opens without end;
 * people and models do not write such text.
 */
export function isReadableMarkdown(text: string): boolean {
  if (text.length > maxMarkdown) return false
  let counted = 0
  let work = 0
  for (const line of text.split('\n')) {
    if (isDeep(line)) return false
    if (line.trim() === '') {
      work += counted ** 3
      counted = 0
    } else counted += count(line, marks)
    if (counted > maxMarks || work + counted ** 3 > maxWork) return false
  }
  return true
}

const maxOpen = 2000
const tags = /<(\/?)(?!(?:br|hr|img|wbr|col|meta|link|input)\b)[a-z]/gi

/** True for HTML whose elements are not nested, or left open, without end. */
export function isReadableHtml(html: string): boolean {
  let open = 0
  for (const [, closing] of html.matchAll(tags)) {
    open = closing === '/' ? Math.max(0, open - 1) : open + 1
    if (open > maxOpen) return false
  }
  return true
}

function isDeep(line: string): boolean {
  return (
    (indent.exec(line)?.[0].length ?? 0) > maxIndent ||
    (count(prefix.exec(line)?.[0] ?? '', nesting) > maxNesting && !rule.test(line))
  )
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
