/** Returns the number of code points, the unit of lengths and offsets in the public tools. */
export function countCodePoints(text: string): number {
  let length = 0
  for (let index = 0; index < text.length; index += 1) if (!isSecondHalf(text, index)) length += 1
  return length
}

/** Returns the code points from `start` up to `end`. */
export function sliceCodePoints(text: string, start: number, end: number): string {
  let passed = 0
  let from = text.length
  for (let index = 0; index < text.length; index += 1) {
    if (isSecondHalf(text, index)) continue
    if (passed === start) from = index
    if (passed === end) return text.slice(from, index)
    passed += 1
  }
  return text.slice(from)
}

function isSecondHalf(text: string, index: number): boolean {
  return index > 0 && isLow(text.charCodeAt(index)) && isHigh(text.charCodeAt(index - 1))
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
