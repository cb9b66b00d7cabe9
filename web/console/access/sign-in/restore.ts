import { showSignIn, signIn } from '../credential.ts'
import { isIssuerRedirect } from './issuer-redirect.ts'
import { exchangeCookie } from './stay.ts'

/** Restores the sign-in of this browser after a page load, or shows the sign-in page if there is none. */
export async function restoreSignIn(): Promise<void> {
  const credential = isIssuerRedirect() ? undefined : await exchangeCookie()
  if (credential === undefined) showSignIn()
  else signIn(credential)
}
