import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { z } from 'zod'
import type { artistSchema } from '../../domain/artists/artists.ts'
import type { Sent, TestAccount, World } from '../world/world.ts'

export type Artist = z.output<typeof artistSchema>
type Body = { artist: Artist; error: string; missing_fields: unknown[] }
type ArtistList = { artists: Artist[]; pagination: { total_count: number; limit: number; offset: number } }

/** Returns an id that is too long for the embedded platform, which therefore returns no name for it. */
export const newStreamingId = (): string => `${randomUUID()}${randomUUID()}`.replaceAll('-', '')

/** Creates two members of one organization and an account outside it. */
export const makePeople = async (world: World) => {
  const [owner, colleague, outsider] = [await world.makeAccount(), await world.makeAccount(), await world.makeAccount()]
  const organization = await world.makeOrganization({ members: [owner.id, colleague.id] })
  return { owner, colleague, outsider, organization }
}

/** Requests to the artist routes. */
export const createArtistsApi = (getWorld: () => World) => {
  const post = (sent: Sent, body: object) => getWorld().request<Body>('POST', '/api/artists', { ...sent, body })
  const list = (sent: Sent, query: Record<string, string> = {}) =>
    getWorld().request<ArtistList>('GET', `/api/artists?${new URLSearchParams(query).toString()}`, sent)
  return {
    post,
    /** Creates an artist on the roster of the account. */
    make: async ({ key }: TestAccount, body: object = {}): Promise<Artist> => {
      const response = await post({ key }, { name: 'Artist', ...body })
      expect([response.status, response.text]).toEqual([201, expect.any(String)])
      return response.body.artist
    },
    list,
    listNames: async ({ key }: TestAccount, query: Record<string, string> = {}) =>
      (await list({ key }, query)).body.artists.map(({ name }) => name),
    patch: (sent: Sent, id: string, body: unknown) =>
      getWorld().request<Body>('PATCH', `/api/artists/${id}`, { ...sent, body }),
    remove: (sent: Sent, id: string, body?: object) =>
      getWorld().request('DELETE', `/api/artists/${id}`, { ...sent, body }),
    attach: (sent: Sent, organizationId: string, artistId: string) =>
      getWorld().request<{ id: string; error: string }>('POST', '/api/organizations/artists', {
        ...sent,
        body: { organization_id: organizationId, artist_id: artistId },
      }),
    detach: (sent: Sent, organizationId: string, artistId: string) =>
      getWorld().request(
        'DELETE',
        `/api/organizations/artists?organization_id=${organizationId}&artist_id=${artistId}`,
        sent,
      ),
    issueBearer: async ({ email }: TestAccount): Promise<Sent> => ({
      bearer: await getWorld().deps.issuer?.issue(email),
    }),
    exists: async (id: string): Promise<boolean> =>
      (await getWorld().db`select 1 from accounts where id = ${id}`).length === 1,
  }
}
