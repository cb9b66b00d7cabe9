/** What a person granted through an authorization server. */
export type Grant = {
  connectedAccountId: string
  entityId: string
  toolkit: string
  /** `lost`: the service wants the person to grant anew. */
  state: 'asked' | 'granted' | 'lost'
  /** Opens with the secret of the server. */
  sealed: string
  /** The account at the service, as the service names it; null where it names none. */
  accountName: string | null
}

export type GrantChange = Pick<Grant, 'state' | 'sealed'> & { accountName?: string | null }
