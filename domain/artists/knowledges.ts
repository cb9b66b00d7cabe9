import { z } from 'zod'
import { text, trimmedText } from '../fields/fields.ts'
import { keepWebUrl, storedUrl } from '../fields/stored-url.ts'

const maxKnowledges = 100

export type Knowledge = { name: string; url: string; type: string }

/** Named documents of a request. Of several documents with the same URL, the first is used. */
export const knowledges = z
  .array(z.object({ name: trimmedText(1, 200), url: storedUrl, type: text(0, 100) }))
  .max(maxKnowledges)
  .transform(removeDuplicates)

export const knowledgesResponse = z.array(z.object({ name: z.string(), url: z.string().nullable(), type: z.string() }))

export function toKnowledgesResponse(stored: readonly Knowledge[]): z.output<typeof knowledgesResponse> {
  return stored.map(({ name, url, type }) => ({ name, url: keepWebUrl(url), type }))
}

function removeDuplicates(list: Knowledge[]): Knowledge[] {
  const urls = new Set<string>()
  return list.filter(({ url }) => urls.size < urls.add(url).size)
}
