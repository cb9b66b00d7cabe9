import { describe, expect, test } from 'vitest'
import { mergeTexts, type ArtistTexts } from '../../../domain/artists/artists.ts'
import { knowledges, toKnowledgesResponse } from '../../../domain/artists/knowledges.ts'

const nothing: ArtistTexts = { name: null, image: null, instruction: null, label: null, knowledges: null }
const shared = { name: 'Shared', image: 'https://shared.example/a.png' }
const document = { name: 'Bio', url: 'https://docs.example/bio', type: 'pdf' }

describe('the texts of an artist', () => {
  test.each<[string, Partial<ArtistTexts>[], object]>([
    ['are the texts of the shared row if no account has texts', [], { ...shared, instruction: null, knowledges: [] }],
    [
      'are the first non-empty texts, field by field',
      [{ name: 'Mine' }, { name: 'Ours', label: 'L' }],
      { name: 'Mine', label: 'L' },
    ],
    ['contain no instruction or label of the shared row', [{}], { ...shared, instruction: null, label: null }],
    ['prefer the image of a later workspace to the shared one', [{}, { image: 'i' }], { name: 'Shared', image: 'i' }],
    [
      'keep an empty list of documents, which means that there are none',
      [{ knowledges: [] }, { knowledges: [document] }],
      { knowledges: [] },
    ],
    [
      'contain the documents of one workspace only',
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

test('the first of several documents with the same URL is kept', () => {
  const other = { name: 'Other', url: 'https://docs.example/other', type: '' }
  expect(knowledges.parse([document, other, { ...document, name: 'Again' }])).toEqual([document, other])
})

test('a URL that is not a web address is never shown', () => {
  expect(toKnowledgesResponse([{ ...document, url: 'javascript:alert(1)' }])).toEqual([{ ...document, url: null }])
})
