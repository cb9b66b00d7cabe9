import { describe, expect, it } from 'vitest'
import { foldByPrefix } from '../../../domain/chat/prompt/prefix-cache.ts'

type Item = { name: string }

/** A fold that joins names with a separator, and the names that it has added. */
function createJoin() {
  const added: string[] = []
  const join = foldByPrefix({
    start: (_separator: string) => ({ names: [] as string[] }),
    add: ({ names }, item: Item) => {
      if (item.name === '') throw new Error('no name')
      names.push(item.name)
      added.push(item.name)
    },
    end: ({ names }, separator) => names.join(separator),
  })
  return { added, join }
}

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => ({ name })) as [Item, Item, Item, Item]

describe('a fold with a cached prefix', () => {
  it('adds only the items by which the list has grown', () => {
    const { added, join } = createJoin()
    expect([join([a], '-'), join([a, b], '-'), join([a, b], '-'), join([a, b, c], '-')]).toEqual([
      'a',
      'a-b',
      'a-b',
      'a-b-c',
    ])
    expect(added).toEqual(['a', 'b', 'c'])
  })

  it('starts anew when the list is shorter, has another item, or has another context', () => {
    const { join } = createJoin()
    expect(join([a, b, c], '-')).toBe('a-b-c')
    expect(join([a, b], '-')).toBe('a-b')
    expect(join([a, d, c], '-')).toBe('a-d-c')
    expect(join([a, { ...d }, c], '-')).toBe('a-d-c')
    expect(join([a, d, c], '+')).toBe('a+d+c')
    expect(join([], '-')).toBe('')
  })

  it('keeps the folds of lists with different first items apart', () => {
    const { added, join } = createJoin()
    expect([join([a, b], '-'), join([c], '-'), join([a, b, d], '-'), join([c, d], '-')]).toEqual([
      'a-b',
      'c',
      'a-b-d',
      'c-d',
    ])
    expect(added).toEqual(['a', 'b', 'c', 'd', 'd'])
  })

  it('does not notice changes of the list after the call', () => {
    const { join } = createJoin()
    const items = [a, b]
    join(items, '-')
    items.push(c)
    expect(join(items, '-')).toBe('a-b-c')
    items[1] = d
    expect(join(items, '-')).toBe('a-d-c')
  })

  it('starts anew after an item that could not be added', () => {
    const { join } = createJoin()
    expect(join([a, b], '-')).toBe('a-b')
    expect(() => join([a, b, c, { name: '' }], '-')).toThrow('no name')
    expect(join([a, b, c], '-')).toBe('a-b-c')
  })
})
