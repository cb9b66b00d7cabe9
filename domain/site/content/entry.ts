import { z } from 'zod'

export const entryTypes = ['page', 'docs', 'blog', 'playbook'] as const

/** Fields of an entry in search results and read documents. */
export const ResultHeader = z.looseObject({
  id: z.string().meta({ examples: ['docs:catalog-valuation'] }),
  type: z.enum(entryTypes),
  title: z.string(),
  description: z.string(),
  url: z.url(),
  representation: z.enum(['summary', 'full']),
  updatedAt: z.string().optional().meta({ description: 'The date written in the source.' }),
  publishedAt: z.string().optional().meta({ description: 'The date written in the source.' }),
  api: z
    .looseObject({ method: z.string(), path: z.string(), specificationUrl: z.url() })
    .optional()
    .meta({ description: 'Entries of the API reference only.' }),
})
export type ResultHeader = z.output<typeof ResultHeader>
export type EntryType = (typeof entryTypes)[number]

/** One public document. Pages are rendered from `markdown`, which the read tool also returns. */
export type Entry = {
  readonly header: Readonly<ResultHeader>
  readonly markdown: string
  /** Words for the index in addition to title, description and body. */
  readonly keywords: string
  /** Headings, one per line. */
  readonly headings: string
  /** The body as plain text, for search and excerpts. */
  readonly plain: string
  readonly author?: string
  readonly category?: string
}
