import type { Fields } from '../parts/form.tsx'

/** Id of an artist on the streaming platform, from an address, a URI or the id itself; undefined for other text, such as a name. */
export function parseStreamingId(text: string): string | undefined {
  const [, addressed] = /artist[/:]([A-Za-z0-9]{1,64})/.exec(text) ?? []
  if (addressed !== undefined) return addressed
  // A word without a digit is more likely a name.
  return /^(?=.*\d)[A-Za-z0-9]{1,64}$/.test(text.trim()) ? text.trim() : undefined
}

type Linked = { account_socials: readonly { type: string; profile_url: string }[] }

/** Id of an artist of the roster on the streaming platform; undefined if no profile there is linked. */
export function readStreamingId({ account_socials: socials }: Linked): string | undefined {
  const url = socials.find(({ type }) => type === 'STREAMING')?.profile_url
  return url === undefined ? undefined : parseStreamingId(url)
}

/**
 * Returns the id of the artist in a submitted form, or undefined if the search field is empty. Throws an error for the user if
 * the text has no id.
 */
export function readArtistId(fields: Fields, name: string): string | undefined {
  const id = fields.optional(name)
  if (id === undefined && fields.text(`${name}-text`) !== '')
    throw new Error('Choose an artist from the list, or paste the URL of an artist page.')
  return id
}
