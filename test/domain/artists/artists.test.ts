import { describe, expect, test } from 'vitest'
import { mergeTexts, type ArtistTexts } from '../../../domain/artists/artists.ts'
import { knowledges, showKnowledges } from '../../../domain/artists/knowledges.ts'

const nothing: ArtistTexts = { name: null, image: null, instruction: null, label: null, knowledges: null }
const shared = { name: 'Shared', image: 'https://shared.example/a.png' }
const document = { name: 'Bio', url: 'https://docs.example/bio', type: 'pdf' }

describe('the texts of an artist', () => {
  test.each<[string, Partial<ArtistTexts>[], object]>([
    ['are those of the shared row where no account has its own', [], { ...shared, instruction: null, knowledges: [] }],
    [
      'are the first non-empty ones, field by field',
      [{ name: 'Mine' }, { name: 'Ours', label: 'L' }],
      { name: 'Mine', label: 'L' },
    ],
    ['have no instruction and no label of the shared row', [{}], { ...shared, instruction: null, label: null }],
    ['take the image of a later workspace before the shared one', [{}, { image: 'i' }], { name: 'Shared', image: 'i' }],
    [
      'keep an empty list of documents: it means that there are none',
      [{ knowledges: [] }, { knowledges: [document] }],
      { knowledges: [] },
    ],
    [
      'take the documents of one workspace, never of two',
      [{}, { knowledges: [document] }, { knowledges: [document, document] }],
      { knowledges: [document] },
    ],
  ])('%s', (_, texts, expected) =>
    expect(
      mergeTexts(
        texts.map((text) => ({ ...nothing, ...text })),
        shared,
      ),
    ).toMatchObject(expected),
  )
})

test('of documents with one address the first stays', () => {
  const other = { name: 'Other', url: 'https://docs.example/other', type: '' }
  expect(knowledges.parse([document, other, { ...document, name: 'Again' }])).toEqual([document, other])
})

test('an address that is no web address is never shown', () => {
  expect(showKnowledges([{ ...document, url: 'javascript:alert(1)' }])).toEqual([{ ...document, url: null }])
})
