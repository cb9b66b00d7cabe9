import { useQueryClient } from '@tanstack/react-query'
import { Fragment, useEffect, type ReactNode } from 'react'
import { useAccessState } from './credential.ts'
import { SignIn } from './sign-in.tsx'

/**
 * Shows the console to who is signed in, and forgets what one account read before another one comes. A sign-in that ended by
 * itself hides the page and keeps it, so that typed text is still there after the next sign-in.
 */
export function AccessGate({ children }: { children: ReactNode }) {
  const { credential, ended, notice } = useAccessState()
  const queries = useQueryClient()
  const accountId = (credential ?? ended)?.accountId
  useEffect(() => () => queries.clear(), [accountId, queries])
  useEffect(() => {
    if (credential !== undefined) void queries.invalidateQueries()
  }, [credential, queries])
  const isAway = credential === undefined
  return (
    <Fragment key={accountId}>
      {accountId !== undefined && (
        <div className="stage" hidden={isAway} inert={isAway}>
          {children}
        </div>
      )}
      {isAway && <SignIn notice={notice} isAgain={ended !== undefined} />}
    </Fragment>
  )
}
