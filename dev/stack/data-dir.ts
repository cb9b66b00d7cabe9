import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newRawKey } from '../../db/accounts/keys.ts'
import type { ProcessMark } from '../processes/processes.ts'
import { CommandRefusedError } from '../say.ts'

export type PartName = 'api' | 'worker' | 'worker-2' | 'temporal' | 'postgres'

/** Secrets of the embedded stack. They are created once and stored, so that keys and data survive a restart. */
export type Secrets = {
  serverSecret: string
  /** Password of the role that owns the tables. */
  postgresPassword: string
  /** Password of the role of the API and the workers. */
  applicationPassword: string
  apiKey: string
}

/** URLs, keys and process ids of the running Backline, for other programs on this machine. */
export type LocalFile = {
  baseUrl: string
  apiKey: string | null
  temporalUiUrl: string | null
  /** Token for `POST /identity/token`, which also takes an email address; null without the embedded issuer. */
  developmentToken: string | null
  referenceUrl: string
  /** URLs of metrics in the Prometheus text format. Workers serve them only with METRICS_PORT. */
  metricsUrls: { api: string; worker?: string; 'worker-2'?: string }
  /** URL that opens the console; with the embedded issuer, it also signs in the browser. Null if the API serves no console. */
  consoleUrl: string | null
  /** Null if the API serves no site. */
  siteUrl: string | null
  /** URL to which the upload library sends staged files (VERCEL_BLOB_API_URL); null if a vendor stores them. */
  blobUrl: string | null
  /** Page with the events and test cards of the embedded payment provider; null with an external provider. */
  checkoutUrl: string | null
  /** Inbox of the embedded email provider, as HTML or JSON; null with an external provider. */
  inboxUrl: string | null
  /** Page of the embedded team chat; null with an external provider. */
  teamChatUrl: string | null
  /** Pattern of email addresses that get a key at signup without a code; null if there are none. */
  agentAddress: string | null
  /**
   * Null for a process that this Backline did not start or that is restarting. With a spare worker, either worker can be the
   * active one.
   */
  pids: Record<Exclude<PartName, 'worker-2'>, number | null> & { 'worker-2'?: number | null }
}

/** Process marks by part, with which a later start finds leftover processes. */
export type PartMarks = Partial<Record<PartName, ProcessMark>>

/** The data directory of the embedded stack. `path` is absolute. */
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
      const storedSecrets = (await readJson(file('secrets.json'))) as Partial<Secrets> | undefined
      const secrets: Secrets = {
        serverSecret: randomBytes(32).toString('hex'),
        postgresPassword: randomBytes(24).toString('hex'),
        applicationPassword: randomBytes(24).toString('hex'),
        apiKey: newRawKey(),
        ...storedSecrets,
      }
      await writePrivateFile(file('secrets.json'), secrets)
      return secrets
    },
    writeLocal: (local: LocalFile): Promise<void> => writePrivateFile(file('local.json'), local),
    removeLocal: (): Promise<void> => rm(file('local.json'), { force: true }),
    readMarks: async (): Promise<PartMarks> => (await readJson(file('parts.json'))) ?? {},
    writeMarks: (marks: PartMarks): Promise<void> => writePrivateFile(file('parts.json'), marks),
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
    throw new CommandRefusedError(
      `${path} is not valid JSON: repair it, or delete the data folder to start with an empty one.`,
    )
  }
}

/** Writes a file atomically, readable only for the current user. */
async function writePrivateFile(path: string, value: object): Promise<void> {
  const draft = `${path}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  await rename(draft, path)
}
