import { ulid } from 'ulid'
import { z } from 'zod'
import { listArtists } from '../../db/artists/artists.ts'
import {
  isThreadBusy,
  storeMessage,
  listChatThreads,
  listThreadMessages,
} from '../../db/content/agent/embedded-messages.ts'
import { mergeTexts } from '../../domain/artists/artists.ts'
import { embeddedWorkspace } from '../../domain/content/agent/messages.ts'
import { firstCodePoints } from '../../domain/fields/fields.ts'
import { storableText } from '../../domain/fields/storable.ts'
import { embeddedPageHeaders } from '../../providers/embedded-page.ts'
import { isTeamChatToken } from '../../providers/team-chat/embedded.ts'
import { receiveMention } from '../content/agent/receive.ts'
import type { WorkDeps } from '../deps.ts'
import { readForm } from '../http/body/form.ts'
import { notFound } from '../http/errors.ts'
import { emptyResponse, kibibytes, route, streamedResponse, type Route } from '../http/route.ts'
import { threadPage, threadsPage, type ListedArtist } from './team-chat-pages.ts'

const maxMention = 4000
const maxThreads = 50
const maxArtists = 100
const maxFormBytes = kibibytes(16)

const routeDefaults = {
  tag: { name: 'Team chat', description: 'The embedded team chat, for development.' },
  description:
    'The embedded team chat, where people mention the content agent. Development only. The token is in the URL that `npm ' +
    'start` prints.',
  auth: 'none',
  ownership: 'Anyone with the token of the deployment can read and write every thread.',
  envelope: 'standard',
  rate: 'default',
  embedded: true,
} as const

/** Returns the routes of the embedded team chat; an empty list in production mode or with an external team chat. */
export function teamChatRoutes(deps: WorkDeps): Route[] {
  const { config } = deps
  if (config.PRODUCTION_MODE || config.TEAMCHAT_PROVIDER !== 'embedded') return []
  const requireToken = ({ params }: { params: { token: string } }): Promise<void> =>
    isTeamChatToken(config.SERVER_SECRET ?? '', params.token) ? Promise.resolve() : Promise.reject(notFound())
  const headers = {
    ...embeddedPageHeaders({ media: [new URL(config.baseUrl).origin, 'https:'] }),
    // The URL contains the token, so other sites must not receive it.
    'referrer-policy': 'same-origin',
  }
  const page = (body: string) => ({ status: 200, headers, body }) as const
  const showThreads = async (token: string) => {
    const artists = await listAccountArtists(deps, config.TEAMCHAT_ACCOUNTS?.[embeddedWorkspace])
    return page(threadsPage({ token, artists }, await listChatThreads(deps.db, maxThreads)))
  }
  return [
    route({
      ...routeDefaults,
      method: 'GET',
      path: '/team-chat/{token}',
      summary: 'List the threads, newest first, with a form for a mention',
      bodyLimit: 0,
      params: z.object({ token: z.string() }),
      responses: { 200: streamedResponse('text/html', 'The page.') },
      errors: ['not_found', 'misdirected_request'],
      authorize: requireToken,
      handle: ({ params: { token } }) => showThreads(token),
    }),
    route({
      ...routeDefaults,
      method: 'GET',
      path: '/team-chat/{token}/{threadId}',
      summary: 'Show a thread',
      bodyLimit: 0,
      params: z.object({ token: z.string(), threadId: z.string() }),
      responses: { 200: streamedResponse('text/html', 'The page, which reloads while the agent is working.') },
      errors: ['not_found', 'misdirected_request'],
      authorize: requireToken,
      handle: async ({ params: { token, threadId } }) => {
        const isBusy = await isThreadBusy(deps.db, threadId)
        const messages = await listThreadMessages(deps.db, threadId)
        if (messages.length === 0) throw notFound()
        return page(threadPage({ token }, { threadId, messages, isBusy }))
      },
    }),
    route({
      ...routeDefaults,
      method: 'POST',
      path: '/team-chat/{token}',
      summary: 'Mention the agent',
      bodyLimit: maxFormBytes,
      streamedBody: 'application/x-www-form-urlencoded',
      params: z.object({ token: z.string() }),
      responses: {
        200: streamedResponse('text/html', 'The thread list, if the message was empty.'),
        303: emptyResponse('The thread.'),
      },
      errors: ['forbidden', 'not_found', 'misdirected_request', 'payload_too_large', 'unsupported_media_type'],
      authorize: requireToken,
      handle: async ({ params: { token }, readBody }) => {
        const form = await readForm(readBody, maxFormBytes)
        const text = firstCodePoints(storableText(form.get('text') ?? ''), maxMention).trim()
        if (text === '') return showThreads(token)
        const threadId = await resolveThread(deps, form.get('thread'))
        await receiveMention(
          deps,
          { eventId: `local-${ulid()}`, workspaceId: embeddedWorkspace, threadId, text },
          (tx) => storeMessage(tx, { threadId, author: 'person', text }),
        )
        return { status: 303, headers: { location: `/team-chat/${token}/${encodeURIComponent(threadId)}` } }
      },
    }),
  ]
}

/** Returns the id of the thread that a form names, or of a new thread. */
async function resolveThread({ db }: WorkDeps, threadId: string | null): Promise<string> {
  if (threadId === null) return `${embeddedWorkspace}:general:${ulid()}`
  if ((await listThreadMessages(db, storableText(threadId))).length === 0) throw notFound()
  return threadId
}

async function listAccountArtists(
  { db }: WorkDeps,
  accountId: string | undefined,
): Promise<ListedArtist[] | undefined> {
  if (accountId === undefined) return undefined
  const { rows: artists } = await listArtists(db, { accountId }, { limit: maxArtists, offset: 0 })
  return artists.map(({ shared, texts }) => ({ id: shared.id, name: mergeTexts(texts, shared).name }))
}
