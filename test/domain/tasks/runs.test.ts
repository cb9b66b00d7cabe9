import { expect, it } from 'vitest'
import { parseNominalTime } from '../../../domain/tasks/runs.ts'

const task = '0123456789abcdef0123456789abcdef'

it.each([
  [`fire_${task}-2026-10-25T01:30:00Z`, '2026-10-25T01:30:00.000Z'],
  [`fire_${task}-2026-02-30T01:30:00Z`, undefined],
  [`fire_${task}-2026-10-25T01:30:00.5Z`, undefined],
  [`fire_${task}`, undefined],
  ['run_01KAM4T6Y5GZ7XJ3M0V2N8QRST', undefined],
  [`fire_${task}-2026-10-25T01:30:00Z `, undefined],
])('the nominal time of the id %j is %s', (id, time) => {
  expect(parseNominalTime(id)?.toISOString()).toBe(time)
})
