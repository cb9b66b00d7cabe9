/** Lengths and offsets of the public tools count code points. */
export const lengthOf = (text: string): number => {
  let length = 0
  for (let at = 0; at < text.length; at += 1) if (!isSecondHalf(text, at)) length += 1
  return length
}

/** The code points from `start` up to `end`. */
export const sliceOf = (text: string, start: number, end: number): string => {
  let passed = 0
  let from = text.length
  for (let at = 0; at < text.length; at += 1) {
    if (isSecondHalf(text, at)) continue
    if (passed === start) from = at
    if (passed === end) return text.slice(from, at)
    passed += 1
  }
  return text.slice(from)
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff
const isSecondHalf = (text: string, at: number): boolean =>
  at > 0 && isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1))
