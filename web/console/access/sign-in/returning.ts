const returnPath = '/console/signed-in'

/** True if the issuer has redirected the browser back to this page. */
export function isReturn(): boolean {
  return location.pathname === returnPath && new URLSearchParams(location.search).has('state')
}
