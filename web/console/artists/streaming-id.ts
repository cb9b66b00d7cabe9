import type { Fields } from '../parts/form.tsx'

/** Parses the id of an artist on the streaming platform from a URL, a URI or the id. Returns undefined for other text. */
export function parseStreamingId(text: string): string | undefined {
  const [, idInUrl] = /artist[/:]([A-Za-z0-9]{1,64})/.exec(text) ?? []
  if (idInUrl !== undefined) return idInUrl
  // A word without a digit is more likely a name.
  return /^(?=.*\d)[A-Za-z0-9]{1,64}$/.test(text.trim()) ? text.trim() : undefined
}

type RosterArtist = { account_socials: readonly { type: string; profile_url: string }[] }

/** Returns the streaming-platform id of an artist on the roster; undefined if no streaming profile is linked. */
export function readStreamingId({ account_socials: socials }: RosterArtist): string | undefined {
  const url = socials.find(({ type }) => type === 'STREAMING')?.profile_url
  return url === undefined ? undefined : parseStreamingId(url)
}

/**
 * Returns the id of the artist in a submitted form, or undefined if the search field is empty. Throws a user-facing
 * error if no artist is selected and the text contains no id.
 */
export function readArtistId(fields: Fields, name: string): string | undefined {
  const id = fields.optional(name)
  if (id === undefined && fields.text(`${name}-text`) !== '')
    throw new Error('Choose an artist from the list, or paste the URL of an artist page.')
  return id
}
