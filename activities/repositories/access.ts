import { ApplicationFailure } from '@temporalio/activity'
import type { Db } from '../../db/postgres/client.ts'
import { mayUseRepository } from '../../db/repositories/access.ts'
import type { SessionRow } from '../../domain/sessions/sessions.ts'
import type { CodeHostPort } from '../../providers/code-host/index.ts'
import type { HostDeps } from '../deps.ts'

type SessionOwner = Pick<SessionRow, 'ownerId' | 'organizationId'>

/** Code host operations that sessions use. */
export type SessionHost = Pick<
  CodeHostPort,
  'bundle' | 'readTree' | 'findHead' | 'push' | 'compareFiles' | 'commitFiles'
>

const deniedType = 'RepositoryDenied'

/** Error text for clients and the model. */
export const repositoryDenied = 'Access denied to this organization'

export function isRepositoryDenied(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === deniedType
}

/** Fails permanently if the account has left the organization of the session. */
export async function requireRepository(db: Db, session: SessionOwner): Promise<void> {
  if (!(await mayUseRepository(db, session))) throw ApplicationFailure.nonRetryable(repositoryDenied, deniedType)
}

/**
 * Returns the code host with a check of the session account's access before each request. Comparing files needs no check,
 * because it reads commits that the sandbox already has.
 */
export function createSessionHost({ db, codeHost }: HostDeps, session: SessionOwner): SessionHost {
  const withAccess = async <T>(request: () => Promise<T>): Promise<T> => {
    await requireRepository(db, session)
    return request()
  }
  return {
    bundle: async function* (...args) {
      await requireRepository(db, session)
      yield* codeHost.bundle(...args)
    },
    readTree: (...args) => withAccess(() => codeHost.readTree(...args)),
    findHead: (...args) => withAccess(() => codeHost.findHead(...args)),
    push: (...args) => withAccess(() => codeHost.push(...args)),
    commitFiles: (...args) => withAccess(() => codeHost.commitFiles(...args)),
    compareFiles: (...args) => codeHost.compareFiles(...args),
  }
}
