import { useQueryClient } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { useAccessState } from './credential.ts'
import { SignIn } from './sign-in.tsx'

/** Shows the console to who is signed in, and forgets what one account read before another one comes. */
export function AccessGate({ children }: { children: ReactNode }) {
  const { credential, notice } = useAccessState()
  const queries = useQueryClient()
  const accountId = credential?.accountId
  useEffect(() => () => queries.clear(), [accountId, queries])
  return credential === undefined ? <SignIn notice={notice} /> : children
}
