/** What a person granted through an authorization server. */
export type Grant = {
  connectedAccountId: string
  entityId: string
  toolkit: string
  /**
   * `exchanging`: the code was sent to the token endpoint, and no tokens are stored; `lost`: the service wants the person to
   * grant anew.
   */
  state: 'asked' | 'exchanging' | 'granted' | 'lost'
  /** Opens with the secret of the server. */
  sealed: string
  /** The account at the service, as the service names it; null where it names none. */
  accountName: string | null
}

export type GrantChange = Pick<Grant, 'state' | 'sealed'> & { accountName?: string | null }
