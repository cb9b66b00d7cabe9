/** An OAuth grant of a person. */
export type Grant = {
  connectedAccountId: string
  entityId: string
  toolkit: string
  /**
   * `requested`: authorization was requested. `exchanging`: the code was sent to the token endpoint, and no tokens are stored.
   * `lost`: the service requires a new authorization.
   */
  state: 'requested' | 'exchanging' | 'granted' | 'lost'
  /** Tokens, encrypted with the server's secret. */
  sealed: string
  /** Name of the account at the service; null if the service provides none. */
  accountName: string | null
}

export type GrantChange = Pick<Grant, 'state' | 'sealed'> & { accountName?: string | null }
