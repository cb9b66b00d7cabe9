/** Returns the number of code points, the unit of lengths and offsets in the public tools. */
export function countCodePoints(text: string): number {
  let length = 0
  for (let at = 0; at < text.length; at += 1) if (!isSecondHalf(text, at)) length += 1
  return length
}

/** Returns the code points from `start` up to `end`. */
export function sliceCodePoints(text: string, start: number, end: number): string {
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

function isSecondHalf(text: string, at: number): boolean {
  return at > 0 && isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1))
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
