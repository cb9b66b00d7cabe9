import { expect, test } from 'vitest'
import { addMonth } from '../../../providers/payment/embedded/periods.ts'

const at = (day: string): Date => new Date(`${day}T10:20:30.000Z`)

test.each([
  ['2026-01-31', '2026-01-31', '2026-02-28'],
  ['2026-02-28', '2026-01-31', '2026-03-31'],
  ['2028-01-30', '2028-01-30', '2028-02-29'],
  ['2026-12-15', '2026-12-15', '2027-01-15'],
  ['2026-04-30', '2026-03-31', '2026-05-31'],
])('the month after %s anchored at %s ends on %s', (start, anchor, expected) => {
  expect(addMonth(at(start), at(anchor))).toEqual(at(expected))
})
