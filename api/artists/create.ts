import { z } from 'zod'
import { profileHosts } from '../../config.ts'
import { attachArtist, insertArtist, upsertRosterRow } from '../../db/artists/links.ts'
import { writeTexts } from '../../db/artists/texts.ts'
import { readArtist } from '../../db/artists/artists.ts'
import type { ArtistView } from '../../db/artists/artists.ts'
import type { Tx } from '../../db/postgres/client.ts'
import { findLinkedArtist, isLinkedProfile, linkProfile, takeSocial } from '../../db/artists/socials.ts'
import { artistOnWire, artistSchema } from '../../domain/artists/artists.ts'
import { trimmedText, uuid } from '../../domain/fields/fields.ts'
import { streamingProfile } from '../../domain/artists/profiles.ts'
import type { Profile } from '../../domain/artists/profiles.ts'
import { shownUrl } from '../../domain/fields/stored-url.ts'
import type { StreamingArtist } from '../../providers/streaming/index.ts'
import { requireOrganization, resolveAccount } from '../access/access.ts'
import { noteObject } from '../access/audit.ts'
import type { ApiDeps } from '../deps.ts'
import { route } from '../http/route.ts'
import type { Route } from '../http/route.ts'
import { routeDefaults } from './route-defaults.ts'

const lookupMs = 5000

/** What the streaming platform says of the artist; undefined where nobody can say. */
const lookUp = async (
  { streaming, log }: ApiDeps,
  streamingArtistId: string,
  closed: AbortSignal,
): Promise<StreamingArtist | undefined> => {
  if (streaming === undefined) return undefined
  try {
    const signal = AbortSignal.any([closed, AbortSignal.timeout(lookupMs)])
    return await streaming.getArtist(streamingArtistId, { signal })
  } catch (error) {
    log.warn({ err: error, streamingArtistId }, 'the streaming platform did not name an artist')
    return undefined
  }
}

type Wanted = { name: string; view: ArtistView; profile: Profile | undefined; known: StreamingArtist | undefined }

const insert = async (tx: Tx, { name, view, known }: Wanted): Promise<string> => {
  const workspaceId = view.organizationId ?? view.accountId
  const sharedName = known?.name.trim() || name
  const image = shownUrl(known?.imageUrl ?? null)
  const artistId = await insertArtist(tx, { name: sharedName, image, createdBy: workspaceId })
  if (sharedName !== name) await writeTexts(tx, { workspaceId, artistId }, { name })
  return artistId
}

/** The artist of the streaming profile, else a new one. Parallel calls for one profile wait here for each other. */
const findOrInsert = async (tx: Tx, wanted: Wanted): Promise<{ artistId: string; isNew: boolean }> => {
  const { profile, view } = wanted
  if (profile === undefined) return { artistId: await insert(tx, wanted), isNew: true }
  const socialId = await takeSocial(tx, profile)
  const linked = await findLinkedArtist(tx, socialId)
  if (linked !== undefined) return { artistId: linked, isNew: false }
  const artistId = await insert(tx, wanted)
  await linkProfile(tx, { artistId, socialId, addedBy: view.organizationId ?? view.accountId })
  return { artistId, isNew: true }
}

const answer = z.object({ status: z.literal('success'), artist: artistSchema })

export const createRoute = (deps: ApiDeps): Route =>
  route({
    ...routeDefaults,
    method: 'POST',
    path: '/api/artists',
    summary: 'Create an artist, or link the one that there is',
    description:
      'With streaming_artist_id the artist that has this streaming profile is taken (200); else a new one is made (201). ' +
      'Either way it is on the roster afterwards, and attached to the organization that is named.',
    ownership:
      'On the roster of the caller or of the account named by account_id that the caller may act for; attached to an ' +
      'organization for its members.',
    idempotent: 'before-fields',
    waitMs: lookupMs,
    example: { name: 'Nova Quartet', streaming_artist_id: '0LcJLqbBmaGUft1e9Mm8HV' },
    body: z.object({
      name: trimmedText(1, 200),
      streaming_artist_id: z
        .string()
        .regex(/^[A-Za-z0-9]{1,64}$/, 'must have 1 to 64 letters and digits')
        .optional(),
      account_id: uuid.optional(),
      organization_id: uuid.optional(),
    }),
    responses: { 200: answer, 201: answer },
    errors: ['invalid_request', 'unauthorized', 'forbidden', 'conflict', 'idempotency_mismatch'],
    authorize: async ({ caller, body }) => {
      const accountId = await resolveAccount(deps, caller, body.account_id)
      if (body.organization_id !== undefined) await requireOrganization(deps, caller, accountId, body.organization_id)
    },
    handle: async ({ caller, body, idempotency, closed }) => {
      const { name, streaming_artist_id: streamingArtistId, organization_id: organizationId } = body
      const view: ArtistView = { accountId: body.account_id ?? caller.accountId, organizationId }
      const profile =
        streamingArtistId === undefined ? undefined : streamingProfile(streamingArtistId, profileHosts(deps.config))
      const known =
        streamingArtistId === undefined || profile === undefined || (await isLinkedProfile(deps.db, profile.url))
          ? undefined
          : await lookUp(deps, streamingArtistId, closed)
      return deps.db.begin(async (tx) => {
        const { artistId, isNew } = await findOrInsert(tx, { name, view, profile, known })
        noteObject(caller, artistId)
        await upsertRosterRow(tx, { accountId: view.accountId, artistId })
        if (organizationId !== undefined) await attachArtist(tx, organizationId, artistId)
        const artist = artistOnWire(await readArtist(tx, view, artistId))
        const made = { status: isNew ? (201 as const) : (200 as const), body: { status: 'success' as const, artist } }
        await idempotency.remember(tx, made)
        return made
      })
    },
  })
