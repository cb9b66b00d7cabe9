import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, test, vi } from 'vitest'
import { createQueue } from '../../../db/postgres/driver/queue.ts'
import { withYoungClosures } from '../../../dev/driver-repairs.ts'
import { nodeBundle } from '../../../dev/node-bundle.ts'

test('a queue gives its items in their order, and any of them', () => {
  const queue = createQueue(['a', 'b'])
  expect(queue.push('c')).toBe('c')
  expect(queue.remove('b')).toBe('b')
  expect(queue.remove('b')).toBeNull()
  expect(queue).toHaveLength(2)
  expect([queue.shift(), queue.shift(), queue.shift()]).toEqual(['a', 'c', undefined])
  expect(queue).toHaveLength(0)
  queue.push('d')
  expect([queue.shift(), queue.remove('d')]).toEqual(['d', null])
})

test('a queue keeps its order however many items pass it', () => {
  const queue = createQueue<number>()
  const left: number[] = []
  for (let item = 0; item < 2000; item++) {
    queue.push(item)
    if (item % 3 > 0) left.push(queue.shift() ?? -1)
  }
  while (queue.length > 0) left.push(queue.shift() ?? -1)
  expect(left).toEqual(Array.from({ length: 2000 }, (_, item) => item))
})

test('what looks for an item passes few places of those that have left', () => {
  const queue = createQueue(['one connection', 'another'])
  for (let query = 0; query < 1000; query++) queue.push(queue.shift() ?? '')
  const search = vi.spyOn(Array.prototype, 'indexOf')
  expect(queue.remove('a third')).toBeNull()
  const [searched] = search.mock.contexts as unknown[][]
  search.mockRestore()
  expect(searched?.length).toBeLessThan(200)
})

test('what is built has the driver with both repairs', async () => {
  const source = fileURLToPath(new URL('../../../db/postgres/client.ts', import.meta.url))
  const { outputFiles } = await build({ ...nodeBundle, entryPoints: [source], outdir: 'unwritten', write: false })
  const text = outputFiles.map((file) => file.text).join('\n')
  expect(text).toMatch(/this\.resolve = young\(/)
  expect(text).toMatch(/this\.reject = young\(/)
  expect(text).toContain('function createQueue(')
  expect(text).not.toContain('function Queue(')
})

test('a driver that is written in another way stops the build', () => {
  expect(() => withYoungClosures('this.resolve = (x) => resolve(x)')).toThrow('in another way now')
})
