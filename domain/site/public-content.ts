import { z } from 'zod'
import type { Slices } from './slices.ts'
import { countCodePoints, sliceCodePoints } from './search/characters.ts'
import { readCursor, writeCursor, type Digest } from './search/cursor.ts'
import { entryTypes, ResultHeader, type Entry } from './content/entry.ts'
import { findExcerpt } from './search/excerpt.ts'
import { SiteError, type SiteErrorCode } from './errors.ts'
import { createRanking } from './search/ranking.ts'

// oxlint-disable-next-line no-control-regex -- finds the control characters that a request must not contain
const controlCharacters = /[\u0000-\u001F\u007F]/

export const SearchInput = z.strictObject({
  query: z
    .string()
    .refine((text) => text.trim() !== '' && countCodePoints(text) <= 240 && !controlCharacters.test(text))
    .meta({ description: 'What to search for.', minLength: 1, maxLength: 240, examples: ['catalog valuation'] }),
  type: z.enum(['all', ...entryTypes]).default('all'),
  limit: z.int().min(1).max(10).default(5),
  cursor: z.string().min(1).max(200).optional().meta({ description: 'From `nextCursor` of the same search.' }),
})
export const ReadInput = z.strictObject({
  id: z
    .string()
    .max(300)
    .regex(/^(?:page:\/[a-z0-9/-]*|(?:docs|blog|playbook):[a-z0-9][a-z0-9/-]*)$/)
    .meta({ description: 'An id from a search.', examples: ['docs:catalog-valuation'] }),
  offset: z.int().min(0).default(0).meta({ description: 'Characters to skip.' }),
  maxLength: z.int().min(1).max(12_000).default(6000).meta({ description: 'Maximum number of characters to return.' }),
})

export const SearchResult = z.looseObject({
  query: z.string(),
  results: z.array(
    ResultHeader.extend({
      excerpt: z.string(),
      highlights: z.array(z.looseObject({ start: z.int(), end: z.int() })),
    }),
  ),
  total: z.int(),
  nextCursor: z.string().nullable(),
})
export const ReadResult = ResultHeader.extend({
  markdown: z.string(),
  offset: z.int(),
  nextOffset: z.int().nullable(),
  totalLength: z.int(),
})

const codes: Record<string, SiteErrorCode> = {
  query: 'INVALID_QUERY',
  type: 'INVALID_TYPE',
  limit: 'INVALID_LIMIT',
  cursor: 'INVALID_CURSOR',
  id: 'INVALID_ID',
  offset: 'INVALID_OFFSET',
  maxLength: 'INVALID_MAX_LENGTH',
}

export type PublicContent = {
  contentVersion: string
  search: (input: unknown) => z.output<typeof SearchResult>
  read: (input: unknown) => z.output<typeof ReadResult>
}
export type ContentOptions = { serviceName: string; contentVersion: string; digest: Digest }

/** Creates search and read over immutable entries. */
export function* createPublicContent(
  entries: readonly Entry[],
  { serviceName, contentVersion, digest }: ContentOptions,
): Slices<PublicContent> {
  const byId = new Map(entries.map((entry) => [entry.header.id, entry]))
  const ranking = yield* createRanking(entries, serviceName)
  return {
    contentVersion,
    search: (input) => {
      const { query, type, limit, cursor } = parseInput(SearchInput, input)
      const scope = { type, query, contentVersion, digest }
      const offset = cursor === undefined ? 0 : readCursor(scope, cursor)
      const { entries: rankedEntries, forms } = ranking.search(query, type)
      if (offset > rankedEntries.length) throw new SiteError('INVALID_CURSOR', ['cursor'])
      const next = offset + limit
      return {
        query: query.trim(),
        results: rankedEntries.slice(offset, next).map((entry) => ({
          ...structuredClone(entry.header),
          ...findExcerpt(entry, ranking.readBody(entry), forms, ranking.weigh),
        })),
        total: rankedEntries.length,
        nextCursor: next < rankedEntries.length ? writeCursor(scope, next) : null,
      }
    },
    read: (input) => {
      const { id } = parseInput(ReadInput.pick({ id: true }).loose(), input)
      const entry = byId.get(id)
      if (entry === undefined) throw new SiteError('NOT_FOUND')
      const { offset, maxLength } = parseInput(ReadInput, input)
      const totalLength = countCodePoints(entry.markdown)
      if (offset > totalLength) throw new SiteError('INVALID_OFFSET', ['offset'])
      const end = Math.min(offset + maxLength, totalLength)
      const markdown = sliceCodePoints(entry.markdown, offset, end)
      const nextOffset = end < totalLength ? end : null
      return { ...structuredClone(entry.header), markdown, offset, nextOffset, totalLength }
    },
  }
}

/** Validates an input. The error has the code of the first invalid field, in the order of the schema. */
function parseInput<S extends z.ZodObject>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const invalidFields = new Set(parsed.error.issues.map(({ path }) => path[0]))
  const [field = 'query'] = Object.keys(schema.shape).filter((name) => invalidFields.has(name))
  throw new SiteError(codes[field] ?? 'INVALID_INPUT', [field])
}
