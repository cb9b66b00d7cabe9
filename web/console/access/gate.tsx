import { Fragment, lazy, Suspense, useEffect, type ReactNode } from 'react'
import { useAccessState } from './credential.ts'
import { queryClient } from './queries.ts'

// Loaded on demand, because most page loads restore a sign-in.
const SignIn = lazy(async () => ({ default: (await import('./sign-in/sign-in.tsx')).SignIn }))

/**
 * Shows the console while an account is signed in, and clears the query cache when the account changes. When a sign-in
 * expires, the page is hidden but stays mounted, so that typed text survives until the next sign-in.
 */
export function AccessGate({ children }: { children: ReactNode }) {
  const { isRestoring, credential, expired, notice } = useAccessState()
  const accountId = (credential ?? expired)?.accountId
  useEffect(() => () => queryClient.clear(), [accountId])
  useEffect(() => {
    if (credential !== undefined) void queryClient.invalidateQueries()
  }, [credential])
  const isSignedOut = credential === undefined
  if (isRestoring) return <div className="restoring" role="status" aria-label="Loading" />
  return (
    <Fragment key={accountId}>
      {accountId !== undefined && (
        <div className="stage" hidden={isSignedOut} inert={isSignedOut}>
          {children}
        </div>
      )}
      {isSignedOut && (
        <Suspense fallback={<div className="restoring" role="status" aria-label="Loading" />}>
          <SignIn notice={notice} isReauthentication={expired !== undefined} />
        </Suspense>
      )}
    </Fragment>
  )
}
