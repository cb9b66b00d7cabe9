import { z } from 'zod'
import { text, trimmedText } from './fields.ts'
import { shownUrl, storedUrl } from './stored-url.ts'

const mostKnowledges = 100

export type Knowledge = { name: string; url: string; type: string }

/** A list of named documents as a request gives it: entries of one address collapse to the first. */
export const knowledges = z
  .array(z.object({ name: trimmedText(1, 200), url: storedUrl, type: text(0, 100) }))
  .max(mostKnowledges)
  .transform((given): Knowledge[] =>
    [...new Map(given.toReversed().map((entry) => [entry.url, entry])).values()].reverse(),
  )

export const knowledgesOnWire = z.array(z.object({ name: z.string(), url: z.string().nullable(), type: z.string() }))

export const showKnowledges = (stored: readonly Knowledge[]): z.output<typeof knowledgesOnWire> =>
  stored.map(({ name, url, type }) => ({ name, url: shownUrl(url), type }))
