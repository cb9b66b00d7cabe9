import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newRawKey } from '../../db/accounts/keys.ts'
import type { ProcessMark } from '../processes/processes.ts'
import { CommandRefusedError } from '../say.ts'

export type PartName = 'api' | 'worker' | 'worker-2' | 'temporal' | 'postgres'

/** Made once and kept, so that keys and data survive a restart. */
export type Secrets = {
  serverSecret: string
  /** Of the role that owns the tables. */
  postgresPassword: string
  /** Of the role that API and workers have. */
  applicationPassword: string
  apiKey: string
}

/** Data about the running Backline for other programs on this machine. */
export type LocalFile = {
  baseUrl: string
  apiKey: string | null
  temporalUiUrl: string | null
  /** Goes with an email address to `POST /identity/token`; null without the embedded issuer. */
  developmentToken: string | null
  referenceUrl: string
  /** Where processes serve their metrics in the Prometheus text format: workers only with METRICS_PORT. */
  metricsUrls: { api: string; worker?: string; 'worker-2'?: string }
  /** Opens the console, in development with a browser that the issuer then knows; null where the API serves none. */
  consoleUrl: string | null
  /** Null where the API serves no site. */
  siteUrl: string | null
  /** Where the upload library sends staged files (VERCEL_BLOB_API_URL); null when a vendor keeps them. */
  blobUrl: string | null
  /** Events of the embedded payment provider and its test cards; null when a vendor takes the payments. */
  checkoutUrl: string | null
  /** The mailboxes of the embedded mail provider: for a person, or as JSON for a script. Null with a real provider. */
  inboxUrl: string | null
  /** The embedded team chat, for a person. Null with a real one. */
  teamChatUrl: string | null
  /** An address pattern that gets a key at signup without a code; null where none does. */
  agentAddress: string | null
  /**
   * Null for a part that is not ours or is just being started again. Of two workers either may be the one at work, and the
   * other its spare.
   */
  pids: Record<Exclude<PartName, 'worker-2'>, number | null> & { 'worker-2'?: number | null }
}

/** Parts by name, as a later start can recognize them. */
export type PartMarks = Partial<Record<PartName, ProcessMark>>

/** The folder of the embedded stack, by its absolute path. */
export function createDataDir(path: string) {
  const file = (name: string): string => join(path, name)
  return {
    path,
    lock: file('start.locks'),
    log: (part: PartName): string => file(`${part}.log`),
    make: async (): Promise<void> => {
      await mkdir(path, { recursive: true, mode: 0o700 })
    },
    loadSecrets: async (): Promise<Secrets> => {
      const known = (await readJson(file('secrets.json'))) as Partial<Secrets> | undefined
      const secrets: Secrets = {
        serverSecret: randomBytes(32).toString('hex'),
        postgresPassword: randomBytes(24).toString('hex'),
        applicationPassword: randomBytes(24).toString('hex'),
        apiKey: newRawKey(),
        ...known,
      }
      await writePrivately(file('secrets.json'), secrets)
      return secrets
    },
    writeLocal: (local: LocalFile): Promise<void> => writePrivately(file('local.json'), local),
    removeLocal: (): Promise<void> => rm(file('local.json'), { force: true }),
    readMarks: async (): Promise<PartMarks> => (await readJson(file('parts.json'))) ?? {},
    writeMarks: (marks: PartMarks): Promise<void> => writePrivately(file('parts.json'), marks),
  }
}
export type DataDir = ReturnType<typeof createDataDir>

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandRefusedError(`${path} is not JSON any more: repair it, or delete the data folder to start anew.`)
  }
}

/** A reader sees the old file or the new one, and only our user sees any. */
async function writePrivately(path: string, value: object): Promise<void> {
  const draft = `${path}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  await rename(draft, path)
}
