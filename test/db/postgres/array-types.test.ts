import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../../world/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false })
})
afterAll(() => world.close())

test.each([
  [[]],
  [
    [
      'plain',
      '',
      'NULL',
      'with "quotes"',
      String.raw`back\slash`,
      'a,b',
      '{x}',
      'line\nend',
      'tab\t"ü😀\u2028',
      ' space ',
    ],
  ],
])('an array of texts is passed unchanged: %j', async (values) => {
  const rows = await world.db<{ value: string }[]>`
    select value from unnest(${values}::text[]) with ordinality as t (value, place) order by place`
  expect(rows.map(({ value }) => value)).toEqual(values)
})

test('every array type that the queries use is supported', async () => {
  const id = '0d3c1f6e-6f0a-4d2f-9a55-2f7f0f2a7c11'
  const [row] = await world.db`
    select (${[1, -2]}::int[])[2] as whole, (${[2 ** 40]}::bigint[])[1] as big, (${['2026-01-02']}::date[])[1]::text as day,
      (${[id]}::uuid[])[1] as id, (${[null, 'x']}::text[])[1] as nothing, 'b' = any(${['a', 'b']}) as member`
  expect(row).toEqual({ whole: -2, big: 2 ** 40, day: '2026-01-02', id, nothing: null, member: true })
})
