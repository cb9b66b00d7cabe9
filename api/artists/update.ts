import { z } from 'zod'
import { profileHosts } from '../../config.ts'
import { lockArtist, upsertRosterRow } from '../../db/artists/links.ts'
import { findWorkspaceId, writeTexts } from '../../db/artists/texts.ts'
import { readArtist, type ArtistView } from '../../db/artists/artists.ts'
import { toArtistResponse, artistSchema, type ArtistTexts } from '../../domain/artists/artists.ts'
import { anyRequired, text, trimmedText, uuid, successOf } from '../../domain/fields/fields.ts'
import { knowledges } from '../../domain/artists/knowledges.ts'
import type { ProfileHosts } from '../../domain/artists/profiles.ts'
import { clearableUrl } from '../../domain/fields/stored-url.ts'
import { requireArtist, requireLinkOwner, resolveWorkspace } from '../access/access.ts'
import type { RouteDeps } from '../deps.ts'
import { route, success, type Route } from '../http/route.ts'
import { routeDefaults, artistParams, ownership } from './route-defaults.ts'
import { linkProfiles, profileUrls } from './profile-urls.ts'
import { notFound } from '../http/errors.ts'

export function updateRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'PATCH',
    path: '/api/artists/{id}',
    summary: "Update an artist's workspace data, pin and linked profiles",
    // A pin adds a roster row, and a streaming profile makes an artist public.
    widensAccess: ({ body }) => body.pinned !== undefined || body.profileUrls !== undefined,
    description:
      'name, image, instruction, label and knowledges are private to a workspace: the named organization; otherwise the ' +
      'account, if the artist is on its roster; otherwise the organization that gives the account access to the artist. ' +
      'Profiles are shared by all workspaces: one for each platform, and up to 20 for OTHER.',
    ownership,
    params: artistParams,
    example: { label: 'Northern Records', instruction: 'Write in the first person.' },
    body: createBodySchema(profileHosts(deps.config)),
    responses: { 200: successOf({ artist: artistSchema }) },
    errors: ['not_found', 'conflict'],
    authorize: ({ caller, body }) => resolveWorkspace(deps, caller, body),
    handle: async ({ caller, params: { id: artistId }, body }) => {
      const accountId = body.account_id ?? caller.accountId
      const view: ArtistView = { accountId, organizationId: body.organization_id }
      const updated = await deps.db.begin(async (tx) => {
        const access = { config: deps.config, db: tx }
        const artist = await lockArtist(tx, artistId, 'change')
        if (artist === undefined) throw notFound('Artist')
        await requireArtist(access, caller, accountId, artistId)
        const workspaceId = await findWorkspaceId(tx, view, artistId)
        if (body.profileUrls !== undefined)
          await linkProfiles(tx, {
            artist,
            workspaceId,
            profiles: body.profileUrls,
            requireReplaceable: ({ addedBy }) => requireLinkOwner(access, caller, accountId, { artist, addedBy }),
          })
        const texts = toTexts(body)
        if (Object.keys(texts).length > 0) await writeTexts(tx, { workspaceId, artistId }, texts)
        if (body.pinned !== undefined) await upsertRosterRow(tx, { accountId, artistId, pinned: body.pinned })
        return readArtist(tx, view, artistId)
      })
      return success({ artist: toArtistResponse(updated) })
    },
  })
}

function createBodySchema(hosts: ProfileHosts) {
  return z
    .object({
      account_id: uuid.optional(),
      organization_id: uuid.optional(),
      name: trimmedText(1, 200).optional(),
      image: clearableUrl.optional(),
      instruction: text(0, 10_000).optional(),
      label: text(0, 200).optional(),
      knowledges: knowledges.optional(),
      pinned: z.boolean().optional(),
      profileUrls: profileUrls(hosts).optional(),
    })
    .refine(
      ({ account_id: _account, organization_id: _organization, ...fields }) =>
        Object.values(fields).some((value) => value !== undefined),
      { error: 'Send at least one field to change', path: [] },
    )
    .meta(anyRequired(['name', 'image', 'instruction', 'label', 'knowledges', 'pinned', 'profileUrls']))
}

/** Returns the changed texts of a request. An empty string clears the workspace's value. */
function toTexts(body: z.output<ReturnType<typeof createBodySchema>>): Partial<ArtistTexts> {
  return {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.image !== undefined && { image: body.image }),
    ...(body.instruction !== undefined && { instruction: body.instruction || null }),
    ...(body.label !== undefined && { label: body.label || null }),
    ...(body.knowledges !== undefined && { knowledges: body.knowledges }),
  }
}
