import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findFreePlaceName, numberedName, placeNames } from '../../../domain/sessions/titles.ts'

describe('place names', () => {
  it('comprise a hundred different ones', () => {
    expect(new Set(placeNames).size).toBe(100)
  })

  it('are used until the list is exhausted', () => {
    const taken = new Set<string>()
    for (const _ of placeNames) {
      const name = findFreePlaceName(taken)
      expect(name === undefined || taken.has(name)).toBe(false)
      taken.add(name ?? '')
    }
    expect(findFreePlaceName(taken)).toBeUndefined()
  })

  it('are then numbered from 2, with the smallest free number', () => {
    expect(numberedName('Lisbon', new Set())).toBe('Lisbon 2')
    expect(numberedName('Lisbon', new Set(['Lisbon 2', 'Lisbon 4']))).toBe('Lisbon 3')
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 2, max: 30 })), (numbers) => {
        const taken = new Set(numbers.map((number) => `Lisbon ${number}`))
        expect(taken.has(numberedName('Lisbon', taken))).toBe(false)
      }),
    )
  })
})
