import { expect, it } from 'vitest'
import { codePoints, firstCodePoints } from '../../../domain/fields/fields.ts'

it.each(['', 'mix', '🎧', 'a🎧b', '\ud83c', '\udfa7🎧', '🎧\ud83c', 'e\u0301'])(
  'the code points of %j are counted',
  (text) => {
    expect(codePoints(text)).toBe(Array.from(text).length)
  },
)

it.each([0, 1, 2, 3, 10])('a text is truncated to %i code points', (count) => {
  for (const text of ['', 'abc', '🎧🎧🎧🎧', 'a🎧b🎧', '\ud83c🎧x'])
    expect(firstCodePoints(text, count)).toBe(Array.from(text).slice(0, count).join(''))
})
