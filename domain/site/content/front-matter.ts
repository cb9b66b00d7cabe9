import { z } from 'zod'

const day = z.union([z.iso.date(), z.iso.datetime({ offset: true })])

const FrontMatter = z
  .strictObject({
    title: z.string().min(1).max(90),
    description: z.string().min(40).max(200),
    keywords: z
      .string()
      .transform((list) => list.split(',').map((word) => word.trim()))
      .refine((words) => words.length <= 20)
      .optional(),
    category: z.string().min(1).optional(),
    author: z.string().min(1).optional(),
    publishedAt: day.optional(),
    updatedAt: day.optional(),
    representation: z.literal('full').optional(),
    draft: z.literal('true').optional(),
  })
  .refine(
    ({ publishedAt, updatedAt }) =>
      publishedAt === undefined || updatedAt === undefined || new Date(updatedAt) >= new Date(publishedAt),
    { error: 'updatedAt is before publishedAt' },
  )
export type FrontMatter = z.output<typeof FrontMatter>

/** Parses one `key: value` per line between two `---` lines, plain or in double quotes. Throws for any other form. */
export function parseFrontMatter(file: string): { front: FrontMatter; body: string } {
  const [, head, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(file) ?? []
  if (head === undefined || body === undefined) throw new Error('the front matter is missing')
  const pairs = head.split('\n').map((line): [string, string] => {
    const [, key, value] = /^([A-Za-z]+): (.+)$/.exec(line) ?? []
    if (key === undefined || value === undefined) throw new Error(`the front matter line must be "key: value": ${line}`)
    return [key, /^".*"$/.test(value) ? value.slice(1, -1) : value.trim()]
  })
  const keys = pairs.map(([key]) => key)
  if (new Set(keys).size < keys.length) throw new Error('the front matter repeats a key')
  return { front: FrontMatter.parse(Object.fromEntries(pairs)), body: body.trim() }
}
