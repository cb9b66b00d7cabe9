/** What a person granted through an authorization server. */
export type Grant = {
  connectedAccountId: string
  entityId: string
  toolkit: string
  /** `lost`: the service wants the person to grant anew. */
  state: 'asked' | 'granted' | 'lost'
  /** Opened by whoever has the secret of the server. */
  sealed: string
}

export type GrantChange = Pick<Grant, 'state' | 'sealed'>
