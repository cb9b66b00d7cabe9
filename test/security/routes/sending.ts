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
  /** The key of a run of a member: rejected unless the route declares `sharedReads` or the row belongs to the organization. */
  | 'run of a member'
  | 'owner'

/** An account and its rows. */
export type Victim = {
  account: TestAccount
  runKey: string
  organizationId: string
  sessionId: string
  /** A session of the live run, which requires approvals. */
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

export type Sending = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  headers?: Record<string, string>
}

/**
 * How to call a route for the victim's rows, and which callers are allowed. `passes`: the status after the access check.
 * Keys of runs are also rejected where the route declares `widensAccess`.
 */
export type RouteAccess = {
  allowed: readonly CallerName[]
  request?: (victim: Victim) => Sending
  passes?: number
}

/** The owner of the row only. */
export const own: CallerName[] = ['owner', 'run']
/** The owner and members who may act for the owner. */
export const shared: CallerName[] = [...own, 'member']
/** Rows of the organization, which its members and their runs may access as themselves. */
export const ofMember: CallerName[] = [...shared, 'run of a member']
/** Routes that concern the caller only. */
export const self: CallerName[] = [
  ...shared,
  'outsider',
  'outsider with a bearer',
  'former member',
  'invited',
  'organization',
  'run of a member',
]
export const open: CallerName[] = ['stranger']
export const byKeyInAddress: CallerName[] = []

export const ofId = ({ account }: Victim): Sending => ({ params: { id: account.id } })
export const ofSession = ({ sessionId }: Victim): Sending => ({ params: { sessionId } })
export const ofChat = ({ sessionId, chatId }: Victim): Sending => ({ params: { sessionId, chatId } })
export const ofArtist = ({ artistId, account }: Victim): Sending => ({
  params: { id: artistId },
  body: { account_id: account.id },
})
export const inQuery =
  (more: Record<string, string> = {}) =>
  ({ account }: Victim): Sending => ({ query: { account_id: account.id, ...more } })
export const inBody =
  (more: object = {}) =>
  ({ account }: Victim): Sending => ({ body: { account_id: account.id, ...more } })
export const forAccount =
  (more: object = {}) =>
  ({ account }: Victim): Sending => ({ body: { accountId: account.id, ...more } })
export const repository = ({ organizationId }: Victim) => ({ owner: 'workspaces', repository: `${organizationId}.git` })
export const gitRequest =
  (service: string) =>
  (victim: Victim): Sending => ({
    params: repository(victim),
    body: '0000',
    headers: { 'content-type': `application/x-git-${service}-request` },
  })
export const ofMembers = ({ organizationId, account }: Victim): Sending => ({
  query: { organization_id: organizationId, account_id: account.id },
})
export const attaching = ({ organizationId, artistId }: Victim): Record<string, string> => ({
  organization_id: organizationId,
  artist_id: artistId,
})
export const upload = {
  type: 'blob.generate-client-token',
  payload: { pathname: 'a', clientPayload: null, multipart: false },
}
