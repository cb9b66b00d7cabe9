/** The package contains no types. This declares the members that the tests use. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  export class Provider {
    constructor(issuer: string, configuration: object)
    AccessToken: { find(value: string): Promise<{ isValid: boolean } | undefined> }
    callback(): RequestListener
    on(event: 'grant.success', listener: (ctx: { oidc: { params: Record<string, unknown> } }) => void): void
  }
}
