import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findFreePlaceName, numberedName, placeNames } from '../../../domain/sessions/titles.ts'

describe('place names', () => {
  it('are a hundred different names', () => {
    expect(new Set(placeNames).size).toBe(100)
  })

  it('are used until the list is exhausted', () => {
    const usedNames = new Set<string>()
    for (const _ of placeNames) {
      const name = findFreePlaceName(usedNames)
      expect(name === undefined || usedNames.has(name)).toBe(false)
      usedNames.add(name ?? '')
    }
    expect(findFreePlaceName(usedNames)).toBeUndefined()
  })

  it('are then numbered from 2, with the lowest free number', () => {
    expect(numberedName('Lisbon', new Set())).toBe('Lisbon 2')
    expect(numberedName('Lisbon', new Set(['Lisbon 2', 'Lisbon 4']))).toBe('Lisbon 3')
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 2, max: 30 })), (numbers) => {
        const usedNames = new Set(numbers.map((number) => `Lisbon ${number}`))
        expect(usedNames.has(numberedName('Lisbon', usedNames))).toBe(false)
      }),
    )
  })
})
