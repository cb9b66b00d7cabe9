import { randomUUID } from 'node:crypto'
import { catalogAccess } from './catalog-access.ts'
import { connectorAccess } from './connector-access.ts'
import { consoleAccess } from './console-access.ts'
import { projectAccess } from './project-access.ts'
import { queueAccess } from './queue-access.ts'
import { versionAccess } from './version-access.ts'
import {
  own,
  ofMember,
  shared,
  self,
  open,
  byKeyInAddress,
  ofId,
  ofSession,
  ofChat,
  ofArtist,
  inQuery,
  inBody,
  forAccount,
  repository,
  gitRequest,
  ofMembers,
  attaching,
  upload,
  type RouteAccess,
  type Sending,
  type Victim,
} from './sending.ts'

/** The access rules of every route. */
export const routeAccess: Record<string, RouteAccess> = {
  'GET /api/accounts/id': { allowed: self },
  'GET /api/accounts/{id}': { allowed: shared, request: ofId },
  'PATCH /api/accounts': { allowed: shared, request: inBody({ job_title: 'x' }) },
  'GET /api/accounts/{id}/payment-method': { allowed: shared, request: ofId },
  'POST /api/accounts/{id}/payment-method': { allowed: shared, request: ofId },
  'DELETE /api/accounts/{id}/payment-method': { allowed: shared, request: ofId },
  'GET /api/accounts/{id}/payments': { allowed: shared, request: ofId },
  'GET /api/accounts/{id}/auto-top-up': { allowed: shared, request: ofId },
  'PUT /api/accounts/{id}/auto-top-up': {
    allowed: shared,
    request: (victim) => ({ ...ofId(victim), body: { enabled: false } }),
  },
  'POST /api/accounts/{id}/portal': { allowed: shared, request: ofId },
  'GET /api/accounts/{id}/subscription': { allowed: shared, request: ofId },
  'GET /api/accounts/{id}/credits': { allowed: shared, request: ofId },
  'GET /api/accounts/{id}/media': { allowed: shared, request: ofId },
  'GET /api/accounts/{id}/usage': { allowed: shared, request: ofId },
  'GET /api/accounts/{id}/ledger': { allowed: shared, request: ofId },
  'POST /api/credits/sessions': { allowed: shared, request: forAccount({ credits: 1_000_000 }) },
  'POST /api/subscriptions/card-on-file': { allowed: shared, request: forAccount() },
  'POST /api/subscriptions/portal': { allowed: shared, request: forAccount() },
  'POST /api/subscriptions/sessions': { allowed: shared, request: forAccount() },
  'POST /api/subscriptions/claim': { allowed: self, request: () => ({ body: { session_id: 'none' } }), passes: 404 },

  'GET /api/keys': { allowed: self },
  'POST /api/keys': { allowed: self, request: () => ({ body: { key_name: 'x' } }) },
  'DELETE /api/keys': { allowed: own, request: ({ keyId }) => ({ body: { id: keyId } }) },

  'GET /api/organizations': { allowed: shared, request: inQuery() },
  'POST /api/organizations': { allowed: self, request: () => ({ body: { name: 'x' } }) },
  'GET /api/organizations/{id}': {
    allowed: ofMember,
    request: ({ organizationId }) => ({ params: { id: organizationId } }),
  },
  'GET /api/organizations/members': {
    allowed: ofMember,
    request: ({ organizationId }) => ({ query: { organization_id: organizationId } }),
  },
  'POST /api/organizations/members': {
    allowed: shared,
    request: ({ organizationId, account }) => ({ body: { organization_id: organizationId, account_id: account.id } }),
  },
  'POST /api/organizations/members/accept': {
    allowed: [...shared, 'invited'],
    request: ({ organizationId }) => ({ body: { organization_id: organizationId } }),
  },
  'DELETE /api/organizations/members': { allowed: shared, request: ofMembers },
  'POST /api/organizations/artists': { allowed: own, request: (victim) => ({ body: attaching(victim) }) },
  'DELETE /api/organizations/artists': { allowed: shared, request: (victim) => ({ query: attaching(victim) }) },

  ...catalogAccess,
  ...projectAccess,
  ...versionAccess,
  ...connectorAccess,
  ...queueAccess,
  ...consoleAccess,
  'GET /api/artists': { allowed: shared, request: inQuery() },
  'POST /api/artists': { allowed: shared, request: inBody({ name: 'x' }) },
  'POST /api/accounts/artists': {
    allowed: shared,
    request: ({ artistId, account }) => ({ body: { artist_id: artistId, account_id: account.id } }),
  },
  'PATCH /api/artists/{id}': {
    allowed: shared,
    request: ({ artistId, account }) => ({ params: { id: artistId }, body: { account_id: account.id, label: 'x' } }),
  },
  'GET /api/artists/{id}': { allowed: own, request: ({ artistId }) => ({ params: { id: artistId } }) },
  'DELETE /api/artists/{id}': { allowed: shared, request: ofArtist },
  'GET /api/artists/{id}/socials': { allowed: own, request: ({ artistId }) => ({ params: { id: artistId } }) },
  'DELETE /api/artists/{id}/socials/{socialId}': {
    allowed: own,
    request: ({ artistId, socialId }) => ({ params: { id: artistId, socialId } }),
  },

  'POST /api/sessions': {
    allowed: ofMember,
    request: ({ organizationId }) => ({ body: { organizationId } }),
  },
  'GET /api/sessions': { allowed: self },
  'GET /api/sessions/{sessionId}': { allowed: own, request: ofSession },
  'PATCH /api/sessions/{sessionId}': {
    allowed: own,
    request: (victim) => ({ ...ofSession(victim), body: { title: 'Private' } }),
  },
  'DELETE /api/sessions/{sessionId}': { allowed: own, request: ofSession },
  'GET /api/sessions/{sessionId}/diff': { allowed: own, request: ofSession },
  'GET /api/sessions/{sessionId}/diff/cached': { allowed: own, request: ofSession, passes: 404 },
  'GET /api/sessions/{sessionId}/files': { allowed: own, request: ofSession },
  'GET /api/sessions/{sessionId}/files/content': {
    allowed: own,
    request: (victim) => ({ ...ofSession(victim), query: { path: 'README.md' } }),
    passes: 404,
  },
  'GET /api/sessions/{sessionId}/files/history': { allowed: own, request: ofSession },
  'GET /api/sessions/{sessionId}/chats': { allowed: own, request: ofSession },
  'POST /api/sessions/{sessionId}/chats': { allowed: own, request: ofSession },
  'GET /api/sessions/{sessionId}/chats/{chatId}': { allowed: own, request: ofChat },
  'PATCH /api/sessions/{sessionId}/chats/{chatId}': {
    allowed: own,
    request: (victim) => ({ ...ofChat(victim), body: { title: 'Private' } }),
  },
  'DELETE /api/sessions/{sessionId}/chats/{chatId}': { allowed: own, request: ofChat },
  'POST /api/sessions/{sessionId}/chats/{chatId}/read': { allowed: own, request: ofChat },
  'GET /api/chats': { allowed: shared, request: inQuery() },

  'POST /api/sandbox': { allowed: own, request: ({ sessionId }) => ({ body: { sessionId } }) },
  'GET /api/sandbox/status': { allowed: own, request: ({ sessionId }) => ({ query: { sessionId } }) },
  'GET /api/sandbox/reconnect': { allowed: own, request: ({ sessionId }) => ({ query: { sessionId } }) },
  'POST /api/sandbox/activity': { allowed: own, request: ({ sessionId }) => ({ body: { sessionId } }) },
  'POST /api/sandbox/extend': { allowed: own, request: ({ sessionId }) => ({ body: { sessionId } }) },
  'GET /git/{owner}/{repository}/info/refs': {
    allowed: [...ofMember, 'organization'],
    request: (victim) => ({ params: repository(victim), query: { service: 'git-receive-pack' } }),
  },
  'GET /git/{owner}/{repository}/commit/{commit}': {
    allowed: [...ofMember, 'organization'],
    request: (victim) => ({ params: { ...repository(victim), commit: '0'.repeat(40) } }),
    passes: 404,
  },
  'POST /git/{owner}/{repository}/git-upload-pack': {
    allowed: [...ofMember, 'organization'],
    request: gitRequest('upload-pack'),
  },
  'POST /git/{owner}/{repository}/git-receive-pack': {
    allowed: [...ofMember, 'organization'],
    request: gitRequest('receive-pack'),
  },

  'POST /api/chat': {
    allowed: own,
    request: ({ sessionId, chatId }) => ({
      body: { sessionId, chatId, messages: [{ id: randomUUID(), role: 'user', content: 'x' }] },
    }),
  },
  'GET /api/chat/{chatId}/stream': {
    allowed: shared,
    request: ({ liveChatId, account }) => ({ params: { chatId: liveChatId }, query: { account_id: account.id } }),
  },
  'POST /api/chat/{chatId}/stop': {
    allowed: shared,
    request: ({ chatId, account }) => ({ params: { chatId }, query: { account_id: account.id } }),
  },
  'POST /api/chat/runs': { allowed: shared, request: forAccount({ prompt: 'x' }) },
  'GET /api/chat/runs/{runId}': { allowed: shared, request: ({ runId }) => ({ params: { runId } }) },

  'GET /api/sandboxes': { allowed: shared, request: inQuery() },
  'DELETE /api/sandboxes': { allowed: shared, request: inBody() },
  'POST /api/sandboxes/setup': { allowed: shared, request: inBody() },
  'POST /api/sandboxes/staged-file': { allowed: self, request: () => ({ body: upload }) },
  'POST /api/sandboxes/files': {
    allowed: shared,
    request: inBody({ files: [{ url: 'https://example.com/a', name: 'a' }] }),
  },
  // None of the callers has such a repository, but the account is checked first.
  'GET /api/sandboxes/file': { allowed: shared, request: inQuery({ path: 'a' }), passes: 404 },

  'GET /api/tasks': { allowed: shared, request: inQuery() },
  'POST /api/tasks': {
    allowed: shared,
    request: ({ account, artistId }) => ({
      body: {
        account_id: account.id,
        title: 't',
        prompt: 'p',
        schedule: '0 9 * * 1',
        artist_account_id: artistId,
      },
    }),
  },
  'GET /api/tasks/{id}': { allowed: shared, request: ({ taskId }) => ({ params: { id: taskId } }) },
  'PATCH /api/tasks': { allowed: shared, request: ({ taskId }) => ({ body: { id: taskId, title: 'x' } }) },
  'DELETE /api/tasks': { allowed: shared, request: ({ taskId }) => ({ body: { id: taskId } }) },
  'GET /api/tasks/runs': { allowed: shared, request: ({ jobId }) => ({ query: { runId: jobId } }) },
  'POST /api/tasks/runs': { allowed: shared, request: ({ taskId }) => ({ body: { id: taskId } }) },
  'DELETE /api/tasks/runs': { allowed: shared, request: ({ jobId }) => ({ query: { runId: jobId } }) },
  'POST /api/emails': { allowed: shared, request: inBody({ text: 'x' }) },

  'POST /api/agents/signup': {
    allowed: open,
    request: () => ({ body: { email: `${randomUUID()}@example.com` } }),
  },
  'POST /api/agents/verify': {
    allowed: byKeyInAddress,
    request: ({ account }) => ({ body: { email: account.email, code: '000000' } }),
  },
  'POST /api/webhooks/scraper': { allowed: byKeyInAddress, request: () => ({ body: {} }) },
  'POST /api/webhooks/mail': { allowed: byKeyInAddress, request: () => ({ body: {} }) },
  'POST /api/webhooks/renders': { allowed: byKeyInAddress, request: () => ({ body: {} }) },
  'GET /media/{folder}/{name}': { allowed: byKeyInAddress },
  'POST /api/webhooks/payments': {
    allowed: byKeyInAddress,
    request: () => ({ body: { id: 'evt_1' } }),
  },
  'PUT /blob/': { allowed: byKeyInAddress, request: ofUpload },
  'POST /blob/mpu': { allowed: byKeyInAddress, request: ofUpload },
  'GET /inbox/{token}': { allowed: byKeyInAddress },
  'GET /inbox/{token}/{id}': { allowed: byKeyInAddress },
  'GET /inbox/{token}/{id}/html': { allowed: byKeyInAddress },
  'POST /inbox/{token}/{id}/reply': {
    allowed: byKeyInAddress,
    request: () => ({ body: 'text=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  },
  'GET /team-chat/{token}': { allowed: byKeyInAddress },
  'GET /team-chat/{token}/{threadId}': { allowed: byKeyInAddress },
  'POST /team-chat/{token}': {
    allowed: byKeyInAddress,
    request: () => ({ body: 'text=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  },
  'GET /checkout/{id}/{key}': { allowed: byKeyInAddress },
  'POST /checkout/{id}/{key}': {
    allowed: byKeyInAddress,
    request: () => ({ body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  },
  'GET /identity/jwks.json': { allowed: open },
  'POST /identity/token': {
    allowed: byKeyInAddress,
    request: () => ({ body: { email: 'anybody@example.com', development_token: 'guess' } }),
  },
  'GET /healthz': { allowed: open },
  'GET /readyz': { allowed: open },
  'GET /openapi.json': { allowed: open },
  'GET /reference': { allowed: open },
  'GET /reference/{file}': { allowed: byKeyInAddress },
}

function ofUpload({ account }: Victim): Sending {
  return { query: { pathname: `accounts/${account.id}/a` }, body: 'x' }
}
