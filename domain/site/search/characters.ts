/** Returns the number of code points, the unit of lengths and offsets in the public tools. */
export function countCodePoints(text: string): number {
  let length = 0
  for (let index = 0; index < text.length; index += 1) if (!isSecondUnit(text, index)) length += 1
  return length
}

/** Returns the code points from `start` up to `end`. */
export function sliceCodePoints(text: string, start: number, end: number): string {
  let position = 0
  let startIndex = text.length
  for (let index = 0; index < text.length; index += 1) {
    if (isSecondUnit(text, index)) continue
    if (position === start) startIndex = index
    if (position === end) return text.slice(startIndex, index)
    position += 1
  }
  return text.slice(startIndex)
}

function isSecondUnit(text: string, index: number): boolean {
  return index > 0 && isLowSurrogate(text.charCodeAt(index)) && isHighSurrogate(text.charCodeAt(index - 1))
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
