import { RegExpParser, visitRegExpAST, type AST } from '@eslint-community/regexpp'
import { Chars, getConsumedChars, getFirstConsumedChar, isPotentiallyEmpty, toUnicodeSet } from 'regexp-ast-analysis'
import { analyse } from 'scslre'

/** Returns whether a match can fail after `element` has matched, so that every start position is tried. */
const canFailAfter = (element: AST.Element, flags: AST.Flags): boolean => {
  const { parent } = element
  if (parent.type === 'Quantifier') return canFailAfter(parent, flags)
  if (parent.type !== 'Alternative') return false
  const after = parent.elements.slice(parent.elements.indexOf(element) + 1)
  if (after.some((next) => next.type === 'Assertion' || !isPotentiallyEmpty(next, flags))) return true
  return parent.parent.type === 'Pattern' ? false : canFailAfter(parent.parent, flags)
}

/** Returns the characters that may precede a match, if its first assertion limits them to one character. */
const findCharsBefore = (first: AST.Element | undefined, flags: AST.Flags) => {
  if (first?.type !== 'Assertion') return Chars.all(flags)
  if (first.kind === 'start') return flags.multiline ? Chars.lineTerminator(flags) : Chars.empty(flags)
  if (first.kind !== 'lookbehind' || first.alternatives.length > 1) return Chars.all(flags)
  const elements = first.alternatives.flatMap((alternative) => alternative.elements)
  const last = elements.at(-1)
  if (last?.type !== 'Character' && last?.type !== 'CharacterSet' && last?.type !== 'CharacterClass')
    return Chars.all(flags)
  const { chars } = toUnicodeSet(last, flags)
  if (!first.negate) return chars
  return elements.length === 1 ? chars.negate() : Chars.all(flags)
}

/**
 * Returns whether a match may begin inside the text that `loop` consumes, so that the rest is read again from each position.
 * The check compares sets of characters but not their order, so it may reject a linear expression.
 */
const canBeginInside = (alternative: AST.Alternative, loop: AST.Quantifier, flags: AST.Flags): boolean => {
  const consumed = getConsumedChars(loop, flags).chars
  return (
    !consumed.isDisjointWith(findCharsBefore(alternative.elements[0], flags)) &&
    !consumed.isDisjointWith(getFirstConsumedChar(alternative, 'ltr', flags).char)
  )
}

const findRestart = (source: string, flags: string): string | undefined => {
  if (flags.includes('y')) return undefined
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode: flags.includes('u') })
  const parsedFlags = new RegExpParser().parseFlags(flags)
  let reason: string | undefined
  for (const alternative of pattern.alternatives) {
    let lookbehinds = 0
    visitRegExpAST(alternative, {
      onAssertionEnter: ({ kind }) => void (lookbehinds += kind === 'lookbehind' ? 1 : 0),
      onAssertionLeave: ({ kind }) => void (lookbehinds -= kind === 'lookbehind' ? 1 : 0),
      onQuantifierEnter: (loop) => {
        if (loop.max !== Infinity) return
        if (lookbehinds > 0) reason ??= `${loop.raw} is read backwards from every position`
        else if (canFailAfter(loop, parsedFlags) && canBeginInside(alternative, loop, parsedFlags))
          reason ??= `a match can begin inside ${loop.raw}`
      },
    })
  }
  return reason
}

/** Explains why an expression can take more than linear time. Returns undefined if no reason is found. */
export const findSuperLinear = (source: string, flags: string): string | undefined => {
  const [report] = analyse({ source, flags }, { assumeRejectingSuffix: false }).reports
  if (report === undefined) return findRestart(source, flags)
  if (report.type === 'Trade') return `${report.startQuant.raw} and ${report.endQuant.raw} take the same characters`
  return report.type === 'Self'
    ? `${report.quant.raw} repeats itself`
    : `${report.quant.raw} is tried at every position`
}
