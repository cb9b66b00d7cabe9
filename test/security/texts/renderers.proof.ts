import { expect, test } from 'vitest'
import { generate, repeat, type TextBuilder } from './generate.ts'
import { findGrowth, type Run } from './growth.ts'
import type { Grammar } from './grammars.ts'
import { surfaces } from './surfaces.ts'

const generatedCount = 2

/** A text fails only if it exceeds a limit in this number of rounds. */
const maxRounds = 3

const createTexts = ({ pieces, samples }: Grammar, seed: number): [string, TextBuilder][] => [
  ...Object.entries(samples),
  ...generate(pieces, { count: generatedCount, seed }),
]

test.each(Object.entries(surfaces))(
  '%s takes time and memory in proportion to the text, and at most 100 ms for 64 KB',
  async (name, { run, grammar, limitMs }) => {
    for (const [, make] of createTexts(grammar, 1).slice(0, 3)) await run(make(16 * 1024))
    let texts = createTexts(grammar, name.length)
    let faults: string[] = []
    // Other processes affect the CPU caches only temporarily.
    for (let round = 0; round < maxRounds && texts.length > 0; round++) {
      const excesses: [text: [string, TextBuilder], fault: string][] = []
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

const runQuadratic: Run = (text) => {
  let count = 0
  for (let offset = 0; offset < text.length; offset += 2048) count += text.slice(offset).split('a').length
  return count
}

const letters: TextBuilder = (size) => repeat('a', size)

test('the measurement detects quadratic time and results of quadratic size', async () => {
  expect(await findGrowth(runQuadratic, letters)).toMatch(/ms for|the time grows/)
  expect(await findGrowth((text) => text.repeat(text.length / 4096), letters)).toMatch(/the result grows/)
  expect(await findGrowth((text) => text.split(''), letters)).toBeUndefined()
})
