import { createHash } from 'node:crypto'

/** Returns an integer from 0 to `below` - 1. The same text always gives the same number. */
export function draw(text: string, below: number): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, 6) % below
}

export function pick<T>(text: string, choices: readonly [T, ...T[]]): T {
  return choices[draw(text, choices.length)] ?? choices[0]
}

/** Returns ten upper-case letters and digits. */
export function drawCode(text: string): string {
  return createHash('sha256')
    .update(text)
    .digest()
    .readBigUInt64BE(0)
    .toString(36)
    .toUpperCase()
    .padStart(10, '0')
    .slice(-10)
}
