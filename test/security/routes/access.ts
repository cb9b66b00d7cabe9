import { randomUUID } from 'node:crypto'
import { catalogAccess } from './catalog-access.ts'
import { connectorAccess } from './connector-access.ts'
import { consoleAccess } from './console-access.ts'
import { projectAccess } from './project-access.ts'
import { queueAccess } from './queue-access.ts'
import { versionAccess } from './version-access.ts'
import {
  ownerOnly,
  organizationMembers,
  ownerAndMembers,
  anyAccount,
  anonymous,
  bySecretInUrl,
  byAccountId,
  bySession,
  byChat,
  byArtist,
  inQuery,
  inBody,
  inAccountId,
  repositoryParams,
  createGitRequest,
  byMembership,
  artistLink,
  uploadTokenBody,
  type RouteAccess,
  type RouteRequest,
  type Victim,
} from './sending.ts'

/** Access rules by route. */
export const routeAccess: Record<string, RouteAccess> = {
  'GET /api/accounts/id': { allowed: anyAccount },
  'GET /api/accounts/{id}': { allowed: ownerAndMembers, request: byAccountId },
  'PATCH /api/accounts': { allowed: ownerAndMembers, request: inBody({ job_title: 'x' }) },
  'GET /api/accounts/{id}/payment-method': { allowed: ownerAndMembers, request: byAccountId },
  'POST /api/accounts/{id}/payment-method': { allowed: ownerAndMembers, request: byAccountId },
  'DELETE /api/accounts/{id}/payment-method': { allowed: ownerAndMembers, request: byAccountId },
  'GET /api/accounts/{id}/payments': { allowed: ownerAndMembers, request: byAccountId },
  'GET /api/accounts/{id}/auto-top-up': { allowed: ownerAndMembers, request: byAccountId },
  'PUT /api/accounts/{id}/auto-top-up': {
    allowed: ownerAndMembers,
    request: (victim) => ({ ...byAccountId(victim), body: { enabled: false } }),
  },
  'POST /api/accounts/{id}/portal': { allowed: ownerAndMembers, request: byAccountId },
  'GET /api/accounts/{id}/subscription': { allowed: ownerAndMembers, request: byAccountId },
  'GET /api/accounts/{id}/credits': { allowed: ownerAndMembers, request: byAccountId },
  'GET /api/accounts/{id}/media': { allowed: ownerAndMembers, request: byAccountId },
  'GET /api/accounts/{id}/usage': { allowed: ownerAndMembers, request: byAccountId },
  'GET /api/accounts/{id}/ledger': { allowed: ownerAndMembers, request: byAccountId },
  'POST /api/credits/sessions': { allowed: ownerAndMembers, request: inAccountId({ credits: 1_000_000 }) },
  'POST /api/subscriptions/card-on-file': { allowed: ownerAndMembers, request: inAccountId() },
  'POST /api/subscriptions/portal': { allowed: ownerAndMembers, request: inAccountId() },
  'POST /api/subscriptions/sessions': { allowed: ownerAndMembers, request: inAccountId() },
  'POST /api/subscriptions/claim': {
    allowed: anyAccount,
    request: () => ({ body: { session_id: 'none' } }),
    statusAfterCheck: 404,
  },

  'GET /api/keys': { allowed: anyAccount },
  'POST /api/keys': { allowed: anyAccount, request: () => ({ body: { key_name: 'x' } }) },
  'DELETE /api/keys': { allowed: ownerOnly, request: ({ keyId }) => ({ body: { id: keyId } }) },

  'GET /api/organizations': { allowed: ownerAndMembers, request: inQuery() },
  'POST /api/organizations': { allowed: anyAccount, request: () => ({ body: { name: 'x' } }) },
  'GET /api/organizations/{id}': {
    allowed: organizationMembers,
    request: ({ organizationId }) => ({ params: { id: organizationId } }),
  },
  'GET /api/organizations/members': {
    allowed: organizationMembers,
    request: ({ organizationId }) => ({ query: { organization_id: organizationId } }),
  },
  'POST /api/organizations/members': {
    allowed: ownerAndMembers,
    request: ({ organizationId, account }) => ({ body: { organization_id: organizationId, account_id: account.id } }),
  },
  'POST /api/organizations/members/accept': {
    allowed: [...ownerAndMembers, 'invited'],
    request: ({ organizationId }) => ({ body: { organization_id: organizationId } }),
  },
  'DELETE /api/organizations/members': { allowed: ownerAndMembers, request: byMembership },
  'POST /api/organizations/artists': { allowed: ownerOnly, request: (victim) => ({ body: artistLink(victim) }) },
  'DELETE /api/organizations/artists': {
    allowed: ownerAndMembers,
    request: (victim) => ({ query: artistLink(victim) }),
  },

  ...catalogAccess,
  ...projectAccess,
  ...versionAccess,
  ...connectorAccess,
  ...queueAccess,
  ...consoleAccess,
  'GET /api/artists': { allowed: ownerAndMembers, request: inQuery() },
  'POST /api/artists': { allowed: ownerAndMembers, request: inBody({ name: 'x' }) },
  'POST /api/accounts/artists': {
    allowed: ownerAndMembers,
    request: ({ artistId, account }) => ({ body: { artist_id: artistId, account_id: account.id } }),
  },
  'PATCH /api/artists/{id}': {
    allowed: ownerAndMembers,
    request: ({ artistId, account }) => ({ params: { id: artistId }, body: { account_id: account.id, label: 'x' } }),
  },
  'GET /api/artists/{id}': { allowed: ownerOnly, request: ({ artistId }) => ({ params: { id: artistId } }) },
  'DELETE /api/artists/{id}': { allowed: ownerAndMembers, request: byArtist },
  'GET /api/artists/{id}/socials': { allowed: ownerOnly, request: ({ artistId }) => ({ params: { id: artistId } }) },
  'DELETE /api/artists/{id}/socials/{socialId}': {
    allowed: ownerOnly,
    request: ({ artistId, socialId }) => ({ params: { id: artistId, socialId } }),
  },

  'POST /api/sessions': {
    allowed: organizationMembers,
    request: ({ organizationId }) => ({ body: { organizationId } }),
  },
  'GET /api/sessions': { allowed: anyAccount },
  'GET /api/sessions/{sessionId}': { allowed: ownerOnly, request: bySession },
  'PATCH /api/sessions/{sessionId}': {
    allowed: ownerOnly,
    request: (victim) => ({ ...bySession(victim), body: { title: 'Private' } }),
  },
  'DELETE /api/sessions/{sessionId}': { allowed: ownerOnly, request: bySession },
  'GET /api/sessions/{sessionId}/diff': { allowed: ownerOnly, request: bySession },
  'GET /api/sessions/{sessionId}/diff/cached': { allowed: ownerOnly, request: bySession, statusAfterCheck: 404 },
  'GET /api/sessions/{sessionId}/files': { allowed: ownerOnly, request: bySession },
  'GET /api/sessions/{sessionId}/files/content': {
    allowed: ownerOnly,
    request: (victim) => ({ ...bySession(victim), query: { path: 'README.md' } }),
    statusAfterCheck: 404,
  },
  'GET /api/sessions/{sessionId}/files/history': { allowed: ownerOnly, request: bySession },
  'GET /api/sessions/{sessionId}/chats': { allowed: ownerOnly, request: bySession },
  'POST /api/sessions/{sessionId}/chats': { allowed: ownerOnly, request: bySession },
  'GET /api/sessions/{sessionId}/chats/{chatId}': { allowed: ownerOnly, request: byChat },
  'PATCH /api/sessions/{sessionId}/chats/{chatId}': {
    allowed: ownerOnly,
    request: (victim) => ({ ...byChat(victim), body: { title: 'Private' } }),
  },
  'DELETE /api/sessions/{sessionId}/chats/{chatId}': { allowed: ownerOnly, request: byChat },
  'POST /api/sessions/{sessionId}/chats/{chatId}/read': { allowed: ownerOnly, request: byChat },
  'GET /api/chats': { allowed: ownerAndMembers, request: inQuery() },

  'POST /api/sandbox': { allowed: ownerOnly, request: ({ sessionId }) => ({ body: { sessionId } }) },
  'GET /api/sandbox/status': { allowed: ownerOnly, request: ({ sessionId }) => ({ query: { sessionId } }) },
  'GET /api/sandbox/reconnect': { allowed: ownerOnly, request: ({ sessionId }) => ({ query: { sessionId } }) },
  'POST /api/sandbox/activity': { allowed: ownerOnly, request: ({ sessionId }) => ({ body: { sessionId } }) },
  'POST /api/sandbox/extend': { allowed: ownerOnly, request: ({ sessionId }) => ({ body: { sessionId } }) },
  'GET /git/{owner}/{repository}/info/refs': {
    allowed: [...organizationMembers, 'organization'],
    request: (victim) => ({ params: repositoryParams(victim), query: { service: 'git-receive-pack' } }),
  },
  'GET /git/{owner}/{repository}/commit/{commit}': {
    allowed: [...organizationMembers, 'organization'],
    request: (victim) => ({ params: { ...repositoryParams(victim), commit: '0'.repeat(40) } }),
    statusAfterCheck: 404,
  },
  'POST /git/{owner}/{repository}/git-upload-pack': {
    allowed: [...organizationMembers, 'organization'],
    request: createGitRequest('upload-pack'),
  },
  'POST /git/{owner}/{repository}/git-receive-pack': {
    allowed: [...organizationMembers, 'organization'],
    request: createGitRequest('receive-pack'),
  },

  'POST /api/chat': {
    allowed: ownerOnly,
    request: ({ sessionId, chatId }) => ({
      body: { sessionId, chatId, messages: [{ id: randomUUID(), role: 'user', content: 'x' }] },
    }),
  },
  'GET /api/chat/{chatId}/stream': {
    allowed: ownerAndMembers,
    request: ({ liveChatId, account }) => ({ params: { chatId: liveChatId }, query: { account_id: account.id } }),
  },
  'POST /api/chat/{chatId}/stop': {
    allowed: ownerAndMembers,
    request: ({ chatId, account }) => ({ params: { chatId }, query: { account_id: account.id } }),
  },
  'POST /api/chat/runs': { allowed: ownerAndMembers, request: inAccountId({ prompt: 'x' }) },
  'GET /api/chat/runs/{runId}': { allowed: ownerAndMembers, request: ({ runId }) => ({ params: { runId } }) },

  'GET /api/sandboxes': { allowed: ownerAndMembers, request: inQuery() },
  'DELETE /api/sandboxes': { allowed: ownerAndMembers, request: inBody() },
  'POST /api/sandboxes/setup': { allowed: ownerAndMembers, request: inBody() },
  'POST /api/sandboxes/staged-file': { allowed: anyAccount, request: () => ({ body: uploadTokenBody }) },
  'POST /api/sandboxes/files': {
    allowed: ownerAndMembers,
    request: inBody({ files: [{ url: 'https://example.com/a', name: 'a' }] }),
  },
  // No caller has a source repository, but the account is checked first.
  'GET /api/sandboxes/file': { allowed: ownerAndMembers, request: inQuery({ path: 'a' }), statusAfterCheck: 404 },

  'GET /api/tasks': { allowed: ownerAndMembers, request: inQuery() },
  'POST /api/tasks': {
    allowed: ownerAndMembers,
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
  'GET /api/tasks/{id}': { allowed: ownerAndMembers, request: ({ taskId }) => ({ params: { id: taskId } }) },
  'PATCH /api/tasks': { allowed: ownerAndMembers, request: ({ taskId }) => ({ body: { id: taskId, title: 'x' } }) },
  'DELETE /api/tasks': { allowed: ownerAndMembers, request: ({ taskId }) => ({ body: { id: taskId } }) },
  'GET /api/tasks/runs': { allowed: ownerAndMembers, request: ({ jobId }) => ({ query: { runId: jobId } }) },
  'POST /api/tasks/runs': { allowed: ownerAndMembers, request: ({ taskId }) => ({ body: { id: taskId } }) },
  'DELETE /api/tasks/runs': { allowed: ownerAndMembers, request: ({ jobId }) => ({ query: { runId: jobId } }) },
  'POST /api/emails': { allowed: ownerAndMembers, request: inBody({ text: 'x' }) },

  'POST /api/agents/signup': {
    allowed: anonymous,
    request: () => ({ body: { email: `${randomUUID()}@example.com` } }),
  },
  'POST /api/agents/verify': {
    allowed: bySecretInUrl,
    request: ({ account }) => ({ body: { email: account.email, code: '000000' } }),
  },
  'POST /api/webhooks/scraper': { allowed: bySecretInUrl, request: () => ({ body: {} }) },
  'POST /api/webhooks/mail': { allowed: bySecretInUrl, request: () => ({ body: {} }) },
  'POST /api/webhooks/renders': { allowed: bySecretInUrl, request: () => ({ body: {} }) },
  'GET /media/{folder}/{name}': { allowed: bySecretInUrl },
  'POST /api/webhooks/payments': {
    allowed: bySecretInUrl,
    request: () => ({ body: { id: 'evt_1' } }),
  },
  'PUT /blob/': { allowed: bySecretInUrl, request: byUpload },
  'POST /blob/mpu': { allowed: bySecretInUrl, request: byUpload },
  'GET /inbox/{token}': { allowed: bySecretInUrl },
  'GET /inbox/{token}/{id}': { allowed: bySecretInUrl },
  'GET /inbox/{token}/{id}/html': { allowed: bySecretInUrl },
  'POST /inbox/{token}/{id}/reply': {
    allowed: bySecretInUrl,
    request: () => ({ body: 'text=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  },
  'GET /team-chat/{token}': { allowed: bySecretInUrl },
  'GET /team-chat/{token}/{threadId}': { allowed: bySecretInUrl },
  'POST /team-chat/{token}': {
    allowed: bySecretInUrl,
    request: () => ({ body: 'text=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  },
  'GET /checkout/{id}/{key}': { allowed: bySecretInUrl },
  'POST /checkout/{id}/{key}': {
    allowed: bySecretInUrl,
    request: () => ({ body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  },
  'GET /identity/jwks.json': { allowed: anonymous },
  'POST /identity/token': {
    allowed: bySecretInUrl,
    request: () => ({ body: { email: 'anybody@example.com', development_token: 'guess' } }),
  },
  'GET /healthz': { allowed: anonymous },
  'GET /readyz': { allowed: anonymous },
  'GET /openapi.json': { allowed: anonymous },
  'GET /reference': { allowed: anonymous },
  'GET /reference/{file}': { allowed: bySecretInUrl },
}

function byUpload({ account }: Victim): RouteRequest {
  return { query: { pathname: `accounts/${account.id}/a` }, body: 'x' }
}
