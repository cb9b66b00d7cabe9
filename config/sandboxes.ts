import { z } from 'zod'
import { listProblems, requireSettings } from './requirements.ts'
import { anyText, anyUrl, choice, count, matching, positive, secret } from './values.ts'

const sandboxShape = {
  SANDBOX_PROVIDER: choice(['auto', 'bubblewrap', 'just-bash', 'vercel', 'e2b']).describe(
    'Sandbox provider. auto: bubblewrap if it works on this machine, otherwise just-bash.',
  ),
  VERCEL_TOKEN: secret('Access token for SANDBOX_PROVIDER=vercel.'),
  VERCEL_TEAM_ID: anyText().describe('Team of VERCEL_TOKEN.'),
  VERCEL_PROJECT_ID: anyText().describe('Project that the Vercel sandboxes belong to.'),
  VERCEL_API_URL: anyUrl('https://vercel.com/api').describe('URL of the Vercel API.'),
  E2B_API_KEY: secret('API key for SANDBOX_PROVIDER=e2b.'),
  E2B_DOMAIN: anyText('e2b.app').describe('Domain of E2B, or of your own installation of E2B.'),
  E2B_TEMPLATE: anyText('base').describe(
    'E2B template of new sandboxes. It must contain bash, git, GNU coreutils and util-linux.',
  ),
  E2B_API_URL: anyUrl().describe('URL of the E2B API. Default: derived from E2B_DOMAIN.'),
  E2B_SANDBOX_URL: anyUrl().describe('URL at which E2B sandboxes are reached. Default: derived from E2B_DOMAIN.'),
  SANDBOX_ADDRESS: matching(
    /^(\[[0-9a-fA-F:]+\]|[^\s:/[\]]+):\d{4,5}$/,
    'must be an address and a port from 1024, such as machine-1.internal:7400',
  )().describe(
    'In a fleet: private address and port, such as machine-1.internal:7400, at which this machine serves its bubblewrap or just-bash sandboxes to the other machines.',
  ),
  SANDBOX_CHECKPOINT_MB: count(512).describe(
    "In a fleet with bubblewrap and BLOB_STORE=s3: maximum total size, in megabytes, of a sandbox's files for which a checkpoint is stored after each step. 0: no checkpoints.",
  ),
  SANDBOX_NETWORK: choice(['public', 'platform', 'none']).describe(
    "What agents' commands can reach: the public internet and the API, only the API, or nothing.",
  ),
  SANDBOX_STARTS: positive(8).describe(
    'Maximum number of sandboxes that a worker starts, stops or removes concurrently; other requests wait. One account can use at most three quarters of these slots.',
  ),
  SANDBOX_PREPARE_SECONDS: z.coerce
    .number()
    .min(0)
    .default(3)
    .describe(
      'If the creation of a sandbox takes at least this many seconds, a base snapshot of its repository is prepared. 0: for every repository.',
    ),
  SANDBOX_IDLE_SECONDS: count(300).describe('Idle time, in seconds, after which a sandbox can hibernate.'),
  SANDBOX_LIFETIME_SECONDS: count(1800).describe(
    'Time, in seconds, after which a started sandbox stops, unless it is extended.',
  ),
  SANDBOX_MAX_SECONDS: count(18_000).describe('Age, in seconds, from which a sandbox is no longer extended.'),
  SANDBOX_EXTEND_SECONDS: count(1200).describe(
    'Time, in seconds, that an extension adds to the lifetime of a sandbox.',
  ),
  SANDBOX_EXTEND_BEFORE_SECONDS: count(300).describe(
    'Remaining lifetime, in seconds, below which a sandbox with an active run is extended.',
  ),
  SANDBOX_EXPIRY_BUFFER_SECONDS: count(10).describe(
    'Remaining lifetime, in seconds, below which a sandbox is treated as stopped.',
  ),
  SANDBOX_CHECK_SECONDS: positive(5).describe('Minimum time, in seconds, between two lifecycle checks of a session.'),
}

type Values = z.output<z.ZodObject<typeof sandboxShape>>

/** Settings with a port that other parts of the deployment use. */
type Ports = {
  PORT: number
  METRICS_PORT?: number | undefined
  HEALTH_PORT?: number | undefined
  BASE_URL?: string | undefined
  API_URL?: string | undefined
}

const cloudSettings = {
  vercel: ['VERCEL_TOKEN', 'VERCEL_TEAM_ID', 'VERCEL_PROJECT_ID'],
  e2b: ['E2B_API_KEY'],
} as const

/** Returns the settings for `createSandboxes`. Validation has already rejected missing settings. */
export function sandboxSettings(config: Values & { baseUrl: string }) {
  return {
    provider: config.SANDBOX_PROVIDER,
    vercel: {
      baseUrl: config.VERCEL_API_URL,
      token: config.VERCEL_TOKEN ?? '',
      teamId: config.VERCEL_TEAM_ID ?? '',
      projectId: config.VERCEL_PROJECT_ID ?? '',
      network: { reach: config.SANDBOX_NETWORK, baseUrl: config.baseUrl },
    },
    e2b: {
      apiKey: config.E2B_API_KEY ?? '',
      domain: config.E2B_DOMAIN,
      template: config.E2B_TEMPLATE,
      apiUrl: config.E2B_API_URL,
      sandboxUrl: config.E2B_SANDBOX_URL,
      lifetimeMs: config.SANDBOX_LIFETIME_SECONDS * 1000,
      network: { reach: config.SANDBOX_NETWORK, baseUrl: config.baseUrl },
    },
    network: { reach: config.SANDBOX_NETWORK },
  }
}

export const sandboxGroup = {
  settings: sandboxShape,
  validate: (config: Values & Ports) => [...validateSandboxes(config), ...validateAddress(config)],
}

function validateSandboxes(config: Values): string[] {
  const provider = config.SANDBOX_PROVIDER
  if (provider !== 'vercel' && provider !== 'e2b') return []
  return requireSettings(config, cloudSettings[provider], `with SANDBOX_PROVIDER=${provider}`)
}

const wildcards = new Set(['0.0.0.0', '[::]'])
const maxPort = 65_535

/**
 * Validates that commands in sandboxes cannot connect to the address. They reach public addresses at ports 80 and 443, and the
 * API at its own port, so the address must be private and have another port.
 */
function validateAddress({
  SANDBOX_ADDRESS: address,
  PORT,
  METRICS_PORT,
  HEALTH_PORT,
  BASE_URL,
  API_URL,
}: Values & Ports) {
  if (address === undefined) return []
  const end = address.lastIndexOf(':')
  const [host, port] = [address.slice(0, end), Number(address.slice(end + 1))]
  const urls = [BASE_URL, API_URL].flatMap((url) => (url === undefined ? [] : [Number(new URL(url).port)]))
  return listProblems({
    'SANDBOX_ADDRESS must be one private address of this machine.': wildcards.has(host),
    'SANDBOX_ADDRESS must have a port from 1024 to 65535.': port > maxPort || port < 1024,
    'The port of SANDBOX_ADDRESS must differ from those of PORT, METRICS_PORT, HEALTH_PORT, BASE_URL and API_URL.': [
      PORT,
      METRICS_PORT,
      HEALTH_PORT,
      ...urls,
    ].includes(port),
  })
}
