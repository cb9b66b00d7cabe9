import { showSignIn, signIn } from '../credential.ts'
import { isReturn } from './returning.ts'
import { findKeptSignIn } from './stay.ts'

/** Continues the sign-in of this browser after a load of the page; shows the sign-in page if there is none. */
export async function restoreSignIn(): Promise<void> {
  const kept = isReturn() ? undefined : await findKeptSignIn()
  if (kept === undefined) showSignIn()
  else signIn(kept)
}
