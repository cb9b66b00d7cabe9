import { execFile } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { expect, test, vi } from 'vitest'
import { nodeBundle } from '../../../dev/node-bundle.ts'

type Queue<T> = {
  readonly length: number
  push(item: T): T
  shift(): T | undefined
  pop(): T | undefined
  remove(item: T): T | null
}

const driver = new URL('../../../node_modules/postgres/src/', import.meta.url)
const { default: createQueue } = (await import(fileURLToPath(new URL('queue.js', driver)))) as {
  default: <T>(initial?: T[]) => Queue<T>
}

test('a queue returns its items in order, and can remove any of them', () => {
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

test('`pop` returns the last item of a queue', () => {
  const queue = createQueue(['a'])
  queue.push('b')
  queue.push('c')
  expect([queue.pop(), queue.shift(), queue.pop(), queue.pop()]).toEqual(['c', 'a', 'b', undefined])
  expect(queue).toHaveLength(0)
  queue.push('d')
  expect([queue.shift(), queue.pop()]).toEqual(['d', undefined])
})

test('a queue keeps its order for any number of items', () => {
  const queue = createQueue<number>()
  const remaining: number[] = []
  for (let item = 0; item < 2000; item++) {
    queue.push(item)
    if (item % 3 > 0) remaining.push(queue.shift() ?? -1)
  }
  while (queue.length > 0) remaining.push(queue.shift() ?? -1)
  expect(remaining).toEqual(Array.from({ length: 2000 }, (_, item) => item))
})

test('a search for an item skips most slots of removed items', () => {
  const queue = createQueue(['one connection', 'another'])
  for (let query = 0; query < 1000; query++) queue.push(queue.shift() ?? '')
  const search = vi.spyOn(Array.prototype, 'indexOf')
  expect(queue.remove('a third')).toBeNull()
  const [searched] = search.mock.contexts as unknown[][]
  search.mockRestore()
  expect(searched?.length).toBeLessThan(200)
})

const measureOldGeneration = `
import { getHeapSpaceStatistics } from 'node:v8'
const { Query } = await import(process.argv[1])
const strings = Object.assign(['select 1'], { raw: ['select 1'] })
const makeQueries = () => { for (let made = 0; made < 20000; made++) new Query(strings, [], { debug: false }) }
const usedBytes = () => getHeapSpaceStatistics().find((space) => space.space_name === 'old_space').space_used_size
makeQueries()
gc()
const before = usedBytes()
makeQueries()
console.log((usedBytes() - before) / 20000)
`

test('a query allocates nothing in the old generation', async () => {
  // The young generation is large enough for all queries, so that none is promoted.
  const flags = ['--expose-gc', '--max-semi-space-size=64', '--min-semi-space-size=64', '--input-type=module']
  const url = pathToFileURL(fileURLToPath(new URL('query.js', driver))).href
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--eval', measureOldGeneration, url])
  // Bytes per query: more than 400 without the patch.
  expect(Number(stdout)).toBeLessThan(40)
})

test('a build contains the patched driver', async () => {
  const source = fileURLToPath(new URL('../../../db/postgres/client.ts', import.meta.url))
  const { outputFiles } = await build({ ...nodeBundle, entryPoints: [source], outdir: 'unwritten', write: false })
  const text = outputFiles.map((file) => file.text).join('\n')
  expect(text.match(/this\.(resolve|reject)=young\(/g)).toHaveLength(3)
  expect(text).toContain('keptSlots')
})
