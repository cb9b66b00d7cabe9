import { useQueryClient } from '@tanstack/react-query'
import { Fragment, useEffect, type ReactNode } from 'react'
import { useAccessState } from './credential.ts'
import { SignIn } from './sign-in.tsx'

/**
 * Shows the console while an account is signed in, and clears the query cache when the account changes. When a sign-in
 * expires, the page is hidden but stays mounted, so that typed text survives until the next sign-in.
 */
export function AccessGate({ children }: { children: ReactNode }) {
  const { credential, ended, notice } = useAccessState()
  const queries = useQueryClient()
  const accountId = (credential ?? ended)?.accountId
  useEffect(() => () => queries.clear(), [accountId, queries])
  useEffect(() => {
    if (credential !== undefined) void queries.invalidateQueries()
  }, [credential, queries])
  const isSignedOut = credential === undefined
  return (
    <Fragment key={accountId}>
      {accountId !== undefined && (
        <div className="stage" hidden={isSignedOut} inert={isSignedOut}>
          {children}
        </div>
      )}
      {isSignedOut && <SignIn notice={notice} isAgain={ended !== undefined} />}
    </Fragment>
  )
}
