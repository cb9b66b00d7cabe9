import { expect, test } from 'vitest'
import { generate, repeat, type Make } from './generate.ts'
import { findGrowth, type Run } from './growth.ts'
import type { Grammar } from './grammars.ts'
import { surfaces } from './surfaces.ts'

const generated = 2

/** Number of measurements that must show an excess before it counts. */
const moments = 3

const createTexts = ({ pieces, known }: Grammar, seed: number): [string, Make][] => [
  ...Object.entries(known),
  ...generate(pieces, { count: generated, seed }),
]

test.each(Object.entries(surfaces))(
  '%s takes time and memory in proportion to its text, and 64 KB take at most 100 ms',
  async (name, { run, grammar, limitMs }) => {
    for (const [, make] of createTexts(grammar, 1).slice(0, 3)) await run(make(16 * 1024))
    let texts = createTexts(grammar, name.length)
    let faults: string[] = []
    // The effect of other processes on the caches is temporary; the effect of a text on the code is not.
    for (let moment = 0; moment < moments && texts.length > 0; moment++) {
      const excesses: [text: [string, Make], fault: string][] = []
      for (const [text, make] of texts) {
        const excess = await findGrowth(run, make, limitMs)
        if (excess !== undefined) excesses.push([[text, make], `${text}: ${excess}`])
      }
      texts = excesses.map(([text]) => text)
      faults = excesses.map(([, excess]) => excess)
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

test('the measurement finds quadratic time and quadratic results', async () => {
  expect(await findGrowth(square, letters)).toMatch(/ms for|the time grows/)
  expect(await findGrowth((text) => text.repeat(text.length / 4096), letters)).toMatch(/the result grows/)
  expect(await findGrowth((text) => text.split(''), letters)).toBeUndefined()
})
