import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toCatalogItemResponse, catalogItemSchema, catalogName, newCatalog } from '../../../domain/catalogs/catalogs.ts'
import { findDominantArtistId } from '../../../domain/catalogs/dominant-artist.ts'
import { isrc, normalizeIsrc } from '../../../domain/catalogs/isrc.ts'

const id = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'

const createLinks = (counts: Record<string, number>) =>
  Object.entries(counts).map(([artistId, songCount]) => ({ artistId, songCount }))

describe('the dominant artist', () => {
  it.each([
    [{ A: 67, B: 1, C: 1 }, 'A'],
    [{ B: 4, A: 4 }, 'A'],
    [{ A: 4, B: 4 }, 'A'],
    [{ A: 1, B: 2 }, 'B'],
    [{}, undefined],
  ])('of %j is %s', (counts, artist) => expect(findDominantArtistId(createLinks(counts))).toBe(artist))

  it('has the most links, and does not depend on the order of the links', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[0-9a-f]{1,3}$/), fc.integer({ min: 1, max: 4 })), (counts) => {
        const links = createLinks(counts)
        const maxCount = Math.max(...Object.values(counts))
        const best = links.filter(({ songCount }) => songCount === maxCount).map(({ artistId }) => artistId)
        expect(findDominantArtistId(links)).toBe(best.sort()[0])
        expect(findDominantArtistId(links.toReversed())).toBe(best[0])
      }),
    )
  })
})

describe('a recording code', () => {
  it.each([
    ['us-abc-26-00001', 'USABC2600001'],
    ['USABC2600001', 'USABC2600001'],
    ['-U-S-ABC2600001--', 'USABC2600001'],
    ['U1ABC2600001', undefined],
    ['USABC260000', undefined],
    ['USABC26000011', undefined],
    ['US ABC2600001', undefined],
    // The upper-case form of this letter is an ASCII I.
    ['\u0131sABC2600001', undefined],
    ['USABC260000\u017f', undefined],
    ['', undefined],
  ])('%j is %j', (text, code) => {
    expect(normalizeIsrc(text)).toBe(code)
    const parsed = isrc.safeParse(text)
    expect(parsed.data).toBe(code)
    expect(/^-*([A-Za-z]-*){2}([A-Za-z0-9]-*){10}$/.test(text)).toBe(parsed.success)
  })

  it('does not change when it is normalized again', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^-*([A-Za-z]-*){2}([A-Za-z0-9]-*){10}$/), (text) => {
        const code = normalizeIsrc(text)
        expect(code).toMatch(/^[A-Z]{2}[A-Z0-9]{10}$/)
        expect(normalizeIsrc(code ?? '')).toBe(code)
        expect(normalizeIsrc(text.toLowerCase())).toBe(code)
      }),
    )
  })
})

describe('a catalog', () => {
  it.each([
    [[' Mine ', 'Theirs'], 'Mine'],
    [[undefined, null, ' ', 'Theirs'], 'Theirs'],
    [[], 'Untitled catalog'],
    [[null], 'Untitled catalog'],
  ])('with the names %j is called %s', (names, name) => expect(catalogName(...names)).toBe(name))

  it('requires a name or a snapshot', () => {
    expect(newCatalog.parse({ name: ' Mine ' })).toEqual({ name: 'Mine' })
    expect(newCatalog.parse({ snapshot: id.toUpperCase() })).toEqual({ snapshot: id })
    expect(newCatalog.safeParse({ organization_id: id }).error?.issues[0]?.path).toEqual([])
    expect(newCatalog.safeParse({ name: ' ' }).error?.issues[0]?.path).toEqual(['name'])
    expect(newCatalog.safeParse({ name: 'x'.repeat(201) }).success).toBe(false)
    expect(newCatalog.safeParse({ snapshot: 'x' }).error?.issues[0]?.path).toEqual(['snapshot'])
  })

  it('is listed with its valuation band and one owner', () => {
    const at = new Date('2026-08-21T10:00:00.000Z')
    const item = {
      id,
      name: 'Mine',
      createdAt: at,
      updatedAt: at,
      songCount: 2,
      measuredSongCount: 1,
      valuation: { low: '1.10', mid: '2.20', high: '3.30' },
      owner: { id, name: null, image: 'javascript:alert(1)', isOrganization: true },
    }
    expect(catalogItemSchema.parse(toCatalogItemResponse(item))).toEqual({
      id,
      name: 'Mine',
      created_at: '2026-08-21T10:00:00.000Z',
      updated_at: '2026-08-21T10:00:00.000Z',
      song_count: 2,
      measured_song_count: 1,
      valuation: { low: 1.1, mid: 2.2, high: 3.3 },
      owner: { id, name: null, image: null, is_organization: true },
    })
    expect(toCatalogItemResponse({ ...item, valuation: null }).valuation).toBeNull()
  })
})
