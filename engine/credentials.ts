import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { isDeepStrictEqual } from 'node:util'

/** Locations of the credentials for the connection to Temporal. Certificates and keys are PEM files. */
export type CredentialSources = {
  caPath?: string | undefined
  certificatePath?: string | undefined
  keyPath?: string | undefined
  apiKey?: string | undefined
  apiKeyPath?: string | undefined
}

export type Credentials = {
  ca?: Buffer | undefined
  /** Client certificate with its key. */
  identity?: { certificate: Buffer; key: Buffer } | undefined
  apiKey?: string | undefined
}

/** Credentials that are reread when their files change. */
export type CredentialWatch = {
  current(): Credentials
  /** Adds a function that applies changed credentials. If it rejects, it is called again later. */
  onChange(apply: (next: Credentials) => Promise<void> | void): void
  close(): void
}

/** Error for a credential file that cannot be used. The message is one sentence that names the setting. */
export class CredentialsError extends Error {
  override readonly name = 'CredentialsError'
}

// Compares contents: a mounted secret is replaced through a symbolic link, which a watch of the file does not notice.
const rereadIntervalMs = 2000

const settings = {
  caPath: 'TEMPORAL_TLS_CA',
  certificatePath: 'TEMPORAL_TLS_CERT',
  keyPath: 'TEMPORAL_TLS_KEY',
  apiKeyPath: 'TEMPORAL_API_KEY_FILE',
} as const

/**
 * Reads the credentials, and rereads their files every two seconds. Changed files are used once they are valid together,
 * so that a certificate and its key can be replaced one after the other. Throws `CredentialsError` for a file that cannot
 * be used at the start; `onError` receives each later error once.
 */
export async function watchCredentials(
  sources: CredentialSources,
  onError: (error: unknown) => void,
): Promise<CredentialWatch> {
  let current = await readCredentials(sources)
  const appliers: ((next: Credentials) => Promise<void> | void)[] = []
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let lastError: string | undefined
  const reread = async (): Promise<void> => {
    try {
      const next = await readCredentials(sources)
      if (!isDeepStrictEqual(next, current)) for (const apply of appliers) await apply(next)
      current = next
      lastError = undefined
    } catch (error) {
      if (String(error) !== lastError) onError(error)
      lastError = String(error)
    }
    schedule()
  }
  const schedule = (): void => {
    if (!isClosed) timer = setTimeout(() => void reread(), rereadIntervalMs).unref()
  }
  if (Object.keys(settings).some((name) => sources[name as keyof typeof settings] !== undefined)) schedule()
  return {
    current: () => current,
    onChange: (apply) => void appliers.push(apply),
    close: () => {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

async function readCredentials(sources: CredentialSources): Promise<Credentials> {
  const [ca, certificate, key, apiKeyText] = await Promise.all(
    (['caPath', 'certificatePath', 'keyPath', 'apiKeyPath'] as const).map((name) =>
      readSource(settings[name], sources[name]),
    ),
  )
  const identity = certificate && key && { certificate, key }
  try {
    // The check loads Node's root certificates, which delays the start of a process by 20 ms.
    if (ca !== undefined || identity !== undefined)
      createSecureContext({ ca, cert: identity?.certificate, key: identity?.key })
  } catch (error) {
    const names = [settings.caPath, settings.certificatePath, settings.keyPath].join(', ')
    throw new CredentialsError(
      `The files of ${names} cannot be used together: ${error instanceof Error ? error.message : String(error)}.`,
    )
  }
  const apiKey = apiKeyText?.toString('utf8').trim() ?? sources.apiKey
  if (apiKey === '') throw new CredentialsError(`The file of ${settings.apiKeyPath} is empty.`)
  return { ca, identity, apiKey }
}

async function readSource(setting: string, path: string | undefined): Promise<Buffer | undefined> {
  if (path === undefined) return undefined
  try {
    return await readFile(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new CredentialsError(`The file of ${setting} cannot be read: ${path} (${code}).`)
  }
}
