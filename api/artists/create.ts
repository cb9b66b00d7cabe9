import { z } from 'zod'
import { profileHosts } from '../../config.ts'
import { attachArtist, insertArtist, upsertRosterRow } from '../../db/artists/links.ts'
import { writeTexts } from '../../db/artists/texts.ts'
import { readArtist, type ArtistView } from '../../db/artists/artists.ts'
import type { Tx } from '../../db/postgres/client.ts'
import { findLinkedArtist, isLinkedProfile, linkProfile, ensureSocial } from '../../db/artists/socials.ts'
import { toArtistResponse, artistSchema } from '../../domain/artists/artists.ts'
import { trimmedText, uuid, successOf } from '../../domain/fields/fields.ts'
import { streamingId } from '../../domain/streaming-ids.ts'
import { streamingProfile, type Profile } from '../../domain/artists/profiles.ts'
import { keepWebUrl } from '../../domain/fields/stored-url.ts'
import type { StreamingArtist } from '../../providers/streaming/index.ts'
import { resolveWorkspace } from '../access/access.ts'
import { recordAuditObject } from '../access/audit.ts'
import { route, success, type Request, type Route } from '../http/route.ts'
import { routeDefaults, type ArtistDeps } from './route-defaults.ts'

const lookupTimeoutMs = 5000

type NewArtist = {
  name: string
  view: ArtistView
  profile: Profile | undefined
  platformArtist: StreamingArtist | undefined
}

const responseSchema = successOf({ artist: artistSchema })

export function createRoute(deps: ArtistDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path: '/api/artists',
    summary: 'Create an artist, or add an existing one',
    description:
      'Uses the artist whose streaming profile is streaming_artist_id (200), or creates one (201). ' +
      'Adds the artist to the roster, and attaches it to the named organization.',
    ownership:
      "The roster must be the caller's, or that of account_id if the caller may act for it. Attaching to an organization " +
      'requires membership.',
    idempotent: 'before-validation',
    waitMs: lookupTimeoutMs,
    example: { name: 'Nova Quartet', streaming_artist_id: '0LcJLqbBmaGUft1e9Mm8HV' },
    body: z.object({
      name: trimmedText(1, 200),
      streaming_artist_id: streamingId.optional(),
      account_id: uuid.optional(),
      organization_id: uuid.optional(),
    }),
    responses: { 200: responseSchema, 201: responseSchema },
    errors: ['forbidden'],
    authorize: ({ caller, body }) => resolveWorkspace(deps, caller, body),
    handle: async ({ caller, body, idempotency, requestId, closed }) => {
      const { name, streaming_artist_id: streamingArtistId, organization_id: organizationId } = body
      const view: ArtistView = { accountId: body.account_id ?? caller.accountId, organizationId }
      const profile =
        streamingArtistId === undefined ? undefined : streamingProfile(streamingArtistId, profileHosts(deps.config))
      const platformArtist =
        streamingArtistId === undefined || profile === undefined || (await isLinkedProfile(deps.db, profile.url))
          ? undefined
          : await findPlatformArtist(deps, streamingArtistId, { requestId, closed })
      return deps.db.begin(async (tx) => {
        const { artistId, isNew } = await findOrInsert(tx, { name, view, profile, platformArtist })
        recordAuditObject(caller, artistId)
        await upsertRosterRow(tx, { accountId: view.accountId, artistId })
        if (organizationId !== undefined) await attachArtist(tx, organizationId, artistId)
        const artist = toArtistResponse(await readArtist(tx, view, artistId))
        return idempotency.remember(tx, { ...success({ artist }), status: isNew ? 201 : 200 } as const)
      })
    },
  })
}

/** Reads the data of the artist from the streaming platform; undefined if the platform is unavailable. */
async function findPlatformArtist(
  { streaming, log }: ArtistDeps,
  streamingArtistId: string,
  { requestId, closed }: Pick<Request<never, never, never>, 'requestId' | 'closed'>,
): Promise<StreamingArtist | undefined> {
  try {
    const deadline = new Date(Date.now() + lookupTimeoutMs)
    return await streaming.getArtist(streamingArtistId, { deadline, requestId, signal: closed })
  } catch (error) {
    log.warn({ err: error, streamingArtistId }, 'failed to read an artist from the streaming platform')
    return undefined
  }
}

/** Finds or creates the artist of the streaming profile. Concurrent calls for the same profile wait for each other. */
async function findOrInsert(tx: Tx, newArtist: NewArtist): Promise<{ artistId: string; isNew: boolean }> {
  const { profile, view } = newArtist
  if (profile === undefined) return { artistId: await insert(tx, newArtist), isNew: true }
  const socialId = await ensureSocial(tx, profile)
  const linkedArtistId = await findLinkedArtist(tx, socialId)
  if (linkedArtistId !== undefined) return { artistId: linkedArtistId, isNew: false }
  const artistId = await insert(tx, newArtist)
  await linkProfile(tx, { artistId, socialId, addedBy: view.organizationId ?? view.accountId })
  return { artistId, isNew: true }
}

async function insert(tx: Tx, { name, view, platformArtist }: NewArtist): Promise<string> {
  const workspaceId = view.organizationId ?? view.accountId
  const sharedName = platformArtist?.name.trim() || name
  const image = keepWebUrl(platformArtist?.imageUrl ?? null)
  const artistId = await insertArtist(tx, { name: sharedName, image, createdBy: workspaceId })
  if (sharedName !== name) await writeTexts(tx, { workspaceId, artistId }, { name })
  return artistId
}
