import type { TestAccount } from '../../world/world.ts'

export type CallerName =
  | 'stranger'
  | 'outsider'
  | 'outsider with a bearer'
  | 'former member'
  | 'invited'
  /** The key of a run that belongs to the organization. */
  | 'organization'
  | 'member'
  /** The key of a run of the owner. */
  | 'run'
  /** The key of a run of a member. Rejected unless the route declares `sharedReads` or the organization owns the row. */
  | 'run of a member'
  | 'owner'

/** An account and its rows. */
export type Victim = {
  account: TestAccount
  runKey: string
  organizationId: string
  sessionId: string
  /** The session of the running turn, which requires approvals. */
  liveSessionId: string
  chatId: string
  liveChatId: string
  runId: string
  artistId: string
  catalogId: string
  /** The id of a measurement job. */
  snapshotId: string
  /** The id of a scrape. */
  batchRunId: string
  socialId: string
  /** The id of a music generation. */
  generationId: string
  /** The id of a video. */
  videoRunId: string
  templateId: string
  projectId: string
  projectTaskId: string
  connectedAccountId: string
  taskId: string
  jobId: string
  keyId: string
}

export type RouteRequest = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  headers?: Record<string, string>
}

/**
 * The callers that may send a request to a route for the rows of a victim, and that request. Keys of runs are also
 * rejected if the route declares `widensAccess`.
 */
export type RouteAccess = {
  allowed: readonly CallerName[]
  request?: (victim: Victim) => RouteRequest
  /** The status of an allowed request that fails after its access check. */
  statusAfterCheck?: number
}

/** Only the owner of the row. */
export const ownerOnly: CallerName[] = ['owner', 'run']
/** The owner and members who may act for the owner. */
export const ownerAndMembers: CallerName[] = [...ownerOnly, 'member']
/** Callers with access to rows of the organization: its members and their runs. */
export const organizationMembers: CallerName[] = [...ownerAndMembers, 'run of a member']
/** Callers of routes that use only the account of the caller. */
export const anyAccount: CallerName[] = [
  ...ownerAndMembers,
  'outsider',
  'outsider with a bearer',
  'former member',
  'invited',
  'organization',
  'run of a member',
]
/** Callers of routes that require no credentials. */
export const anonymous: CallerName[] = ['stranger']
/** Callers of routes that require a secret in the URL or the body, which no caller has. */
export const bySecretInUrl: CallerName[] = []

export const byAccountId = ({ account }: Victim): RouteRequest => ({ params: { id: account.id } })
export const bySession = ({ sessionId }: Victim): RouteRequest => ({ params: { sessionId } })
export const byChat = ({ sessionId, chatId }: Victim): RouteRequest => ({ params: { sessionId, chatId } })
export const byArtist = ({ artistId, account }: Victim): RouteRequest => ({
  params: { id: artistId },
  body: { account_id: account.id },
})
export const inQuery =
  (fields: Record<string, string> = {}) =>
  ({ account }: Victim): RouteRequest => ({ query: { account_id: account.id, ...fields } })
export const inBody =
  (fields: object = {}) =>
  ({ account }: Victim): RouteRequest => ({ body: { account_id: account.id, ...fields } })
export const inAccountId =
  (fields: object = {}) =>
  ({ account }: Victim): RouteRequest => ({ body: { accountId: account.id, ...fields } })
export const repositoryParams = ({ organizationId }: Victim) => ({
  owner: 'workspaces',
  repository: `${organizationId}.git`,
})
export const createGitRequest =
  (service: string) =>
  (victim: Victim): RouteRequest => ({
    params: repositoryParams(victim),
    body: '0000',
    headers: { 'content-type': `application/x-git-${service}-request` },
  })
export const byMembership = ({ organizationId, account }: Victim): RouteRequest => ({
  query: { organization_id: organizationId, account_id: account.id },
})
export const artistLink = ({ organizationId, artistId }: Victim): Record<string, string> => ({
  organization_id: organizationId,
  artist_id: artistId,
})
export const uploadTokenBody = {
  type: 'blob.generate-client-token',
  payload: { pathname: 'a', clientPayload: null, multipart: false },
}
