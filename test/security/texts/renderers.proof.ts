import { expect, test } from 'vitest'
import { generate, repeat, type Make } from './generate.ts'
import { findGrowth, type Run } from './growth.ts'
import type { Grammar } from './grammars.ts'
import { surfaces } from './surfaces.ts'

const generated = 2

/** So often an excess is measured before it counts. */
const moments = 3

const createTexts = ({ pieces, known }: Grammar, seed: number): [string, Make][] => [
  ...Object.entries(known),
  ...generate(pieces, { count: generated, seed }),
]

test.each(Object.entries(surfaces))(
  '%s takes time and memory in proportion to its text, and 64 KB take 100 ms at most',
  async (name, { run, grammar, limitMs }) => {
    for (const [, make] of createTexts(grammar, 1).slice(0, 3)) await run(make(16 * 1024))
    let texts = createTexts(grammar, name.length)
    let faults: string[] = []
    // The effect of other processes on the caches ends after a moment; that of a text on the code does not.
    for (let moment = 0; moment < moments && texts.length > 0; moment++) {
      const found: [text: [string, Make], fault: string][] = []
      for (const [text, make] of texts) {
        const fault = await findGrowth(run, make, limitMs)
        if (fault !== undefined) found.push([[text, make], `${text}: ${fault}`])
      }
      texts = found.map(([text]) => text)
      faults = found.map(([, fault]) => fault)
    }
    expect(faults).toEqual([])
  },
)

const square: Run = (text) => {
  let count = 0
  for (let at = 0; at < text.length; at += 2048) count += text.slice(at).split('a').length
  return count
}

const letters: Make = (size) => repeat('a', size)

test('the measure finds what takes the square of its text, in time or in its result', async () => {
  expect(await findGrowth(square, letters)).toMatch(/ms for|the time grows/)
  expect(await findGrowth((text) => text.repeat(text.length / 4096), letters)).toMatch(/the result grows/)
  expect(await findGrowth((text) => text.split(''), letters)).toBeUndefined()
})
