const returnPath = '/console/signed-in'

/** True if the page was opened by a redirect from the issuer. */
export function isIssuerRedirect(): boolean {
  return location.pathname === returnPath && new URLSearchParams(location.search).has('state')
}
