/** Creates a text of about `size` characters. */
export type TextBuilder = (size: number) => string

/** Repeats `text` up to `size` characters. */
export const repeat = (text: string, size: number): string => text.repeat(Math.ceil(size / text.length)).slice(0, size)

/** Creates a mulberry32 generator. The same seed produces the same numbers. */
const createRandom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/**
 * Generates texts that repeat, nest and do not close the pieces of a grammar, so that parsers backtrack. The name of each
 * text contains its pieces.
 */
export const generate = (pieces: readonly string[], { count, seed }: { count: number; seed: number }) => {
  const random = createRandom(seed)
  const pick = (): string => pieces[random(pieces.length)] ?? ''
  const drawPieces = (): string => Array.from({ length: 1 + random(3) }, pick).join('')
  const shapes: ((a: string, b: string, c: string) => TextBuilder)[] = [
    (a) => (size) => repeat(a, size),
    (a, b) => (size) => repeat(a, size / 2) + repeat(b, size / 2),
    (a, b, c) => (size) => b + repeat(a, size) + c,
    (a, b) => (size) => repeat(`${a}\n${b}\n`, size),
    (a, b) => (size) => repeat(`${a}\n\n${b}`, size),
  ]
  return Array.from({ length: count }, (): [name: string, make: TextBuilder] => {
    const [shape, a, b, c] = [random(shapes.length), drawPieces(), drawPieces(), drawPieces()]
    return [`${shape} ${JSON.stringify([a, b, c])}`, shapes[shape]?.(a || 'a', b || 'b', c) ?? (() => '')]
  })
}
