import { paymentSettings, siteSettings, type Config } from '../../config.ts'
import { developmentToken } from '../../providers/identity/development-token.ts'
import { inboxToken } from '../../providers/mail/embedded.ts'
import { buildOperatorUrl } from '../../providers/payment/choose.ts'
import { teamChatToken } from '../../providers/team-chat/embedded.ts'
import { CommandRefusedError } from '../say.ts'
import type { DataDir, LocalFile } from './data-dir.ts'
import { acquireLock, type FileLock } from './file-lock.ts'

type Keys = { apiKey: string; serverSecret: string }

/** Returns the URLs and keys that `local.json` contains for other programs on this machine. */
export function listAddresses(
  config: Config,
  { apiKey, serverSecret }: Keys,
): Omit<LocalFile, 'pids' | 'temporalUiUrl' | 'metricsUrls'> {
  const token = config.IDENTITY_ISSUER === undefined ? developmentToken(serverSecret) : null
  const { embedded } = paymentSettings({ ...config, SERVER_SECRET: serverSecret })
  const developmentUrl = (provider: string, path: string): string | null =>
    config.PRODUCTION_MODE || provider !== 'embedded' ? null : `${config.baseUrl}/${path}`
  return {
    baseUrl: config.baseUrl,
    apiKey: config.PRODUCTION_MODE ? null : apiKey,
    referenceUrl: `${config.baseUrl}/reference`,
    consoleUrl: config.CONSOLE ? buildConsoleUrl(config, token) : null,
    siteUrl: config.SITE ? siteSettings(config).siteUrl : null,
    checkoutUrl: embedded === undefined ? null : buildOperatorUrl(embedded),
    blobUrl: config.BLOB_STORE === 'vercel' ? null : `${config.baseUrl}/blob`,
    inboxUrl: developmentUrl(config.MAIL_PROVIDER, `inbox/${inboxToken(serverSecret)}`),
    teamChatUrl: developmentUrl(config.TEAMCHAT_PROVIDER, `team-chat/${teamChatToken(serverSecret)}`),
    agentAddress: config.agentEmailDomain === undefined ? null : `agent+<name>@${config.agentEmailDomain}`,
    developmentToken: token,
  }
}

/** Locks the data directory. Throws if another Backline is running on it. */
export async function lockDataDir(dataDir: DataDir): Promise<FileLock> {
  const lock = await acquireLock(dataDir.lock)
  if ('release' in lock) return lock
  throw new CommandRefusedError(
    `Backline is already running on ${dataDir.path} (process ${lock.pid}): stop it, or give this copy its own DATA_DIR, PORT, POSTGRES_PORT, TEMPORAL_PORT and TEMPORAL_UI_PORT.`,
  )
}

/**
 * Returns the URL of the console. With the embedded issuer, the URL stores the development token in the browser, so that an
 * email address is enough to sign in.
 */
function buildConsoleUrl({ baseUrl, consoleUrl }: Config, token: string | null): string {
  return token === null ? consoleUrl : `${baseUrl}/identity/open/${token}?email=demo@backline.local`
}
