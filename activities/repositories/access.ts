import { ApplicationFailure } from '@temporalio/activity'
import type { Db } from '../../db/postgres/client.ts'
import { mayUseRepository } from '../../db/repositories.ts'
import type { SessionRow } from '../../domain/sessions/sessions.ts'
import type { CodeHostPort } from '../../providers/code-host/index.ts'
import type { ActivityDeps } from '../deps.ts'

type Bound = Pick<SessionRow, 'ownerId' | 'organizationId'>

/** What sessions ask of the code host. */
export type SessionHost = Pick<
  CodeHostPort,
  'bundle' | 'readTree' | 'findHead' | 'push' | 'compareFiles' | 'commitFiles'
>

const deniedType = 'RepositoryDenied'

/** What clients and the model are told. */
export const repositoryDenied = 'Access denied to this organization'

export function isRepositoryDenied(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === deniedType
}

/** Fails for good when the account has left the organization that the session works for. */
export async function requireRepository(db: Db, session: Bound): Promise<void> {
  if (!(await mayUseRepository(db, session))) throw ApplicationFailure.nonRetryable(repositoryDenied, deniedType)
}

/**
 * The code host as the account of a session reaches it at the moment of each request. Only comparing files is open: it
 * reads commits that the sandbox has had.
 */
export function hostOf({ db, codeHost }: Pick<ActivityDeps, 'db' | 'codeHost'>, session: Bound): SessionHost {
  const asking = async <T>(ask: () => Promise<T>): Promise<T> => {
    await requireRepository(db, session)
    return ask()
  }
  return {
    bundle: async function* (...args) {
      await requireRepository(db, session)
      yield* codeHost.bundle(...args)
    },
    readTree: (...args) => asking(() => codeHost.readTree(...args)),
    findHead: (...args) => asking(() => codeHost.findHead(...args)),
    push: (...args) => asking(() => codeHost.push(...args)),
    commitFiles: (...args) => asking(() => codeHost.commitFiles(...args)),
    compareFiles: (...args) => codeHost.compareFiles(...args),
  }
}
