import { z } from 'zod'
import { findAccountSnapshot, type AccountSnapshot } from '../../../db/sandboxes/snapshots.ts'
import { uuid } from '../../../domain/fields/fields.ts'
import type { CodeHostPort, RepositoryName } from '../../../providers/code-host/index.ts'
import type { StopDeps } from '../../deps.ts'
import { mebibytes } from '../../http/route.ts'
import { toWire } from '../../../domain/wire.ts'

export type PersonalDeps = StopDeps & { codeHost: CodeHostPort }

const ownership = 'Rows of the caller, or of the account named by account_id that the caller may act for.'

export const routeDefaults = {
  tag: {
    name: 'Personal sandbox',
    description: 'The personal sandbox of an account: its setup, its source repository and files for it.',
  },
  auth: 'key-or-bearer',
  ownership,
  envelope: 'sandbox',
  bodyLimit: mebibytes(1),
} as const

export const accountBody = z.object({ account_id: uuid.optional() })

export const snapshotRecord = z
  .object({
    account_id: z.guid(),
    snapshot_id: z.string().nullable(),
    expires_at: z.iso.datetime().nullable(),
    github_repo: z.string().nullable(),
    created_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'SnapshotRecord' })

export function toSnapshotResponse(record: AccountSnapshot): z.output<typeof snapshotRecord> {
  return toWire(snapshotRecord, record)
}

/** Returns the source repository in the account's snapshot record, if any. */
export async function findSourceRepository(
  { db, codeHost }: Pick<PersonalDeps, 'db' | 'codeHost'>,
  accountId: string,
): Promise<RepositoryName | undefined> {
  const url = (await findAccountSnapshot(db, accountId))?.githubRepo ?? null
  return url === null ? undefined : codeHost.parseCloneUrl(url)
}
