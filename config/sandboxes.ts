import { z } from 'zod'
import { count } from './values.ts'

const sandboxNames = {
  SANDBOX_PROVIDER: z.enum(['auto', 'bubblewrap', 'just-bash', 'vercel', 'e2b']).default('auto').meta({
    description:
      'auto: bubblewrap if it works, otherwise just-bash. Or the name of one of them, or of a cloud provider.',
  }),
  VERCEL_TOKEN: z.string().optional().meta({ description: 'Access token for SANDBOX_PROVIDER=vercel.', secret: true }),
  VERCEL_TEAM_ID: z.string().optional().meta({ description: 'Team of VERCEL_TOKEN.' }),
  VERCEL_PROJECT_ID: z.string().optional().meta({ description: 'Project that the Vercel sandboxes belong to.' }),
  VERCEL_API_URL: z.url().default('https://vercel.com/api').meta({ description: 'Address of the Vercel API.' }),
  E2B_API_KEY: z.string().optional().meta({ description: 'API key for SANDBOX_PROVIDER=e2b.', secret: true }),
  E2B_DOMAIN: z.string().default('e2b.app').meta({ description: 'Domain of E2B, or of your own installation of E2B.' }),
  E2B_TEMPLATE: z
    .string()
    .default('base')
    .meta({ description: 'E2B template of new sandboxes: needs bash, git, GNU coreutils and util-linux.' }),
  E2B_API_URL: z.url().optional().meta({ description: 'Address of the E2B API. Default: follows from E2B_DOMAIN.' }),
  E2B_SANDBOX_URL: z
    .url()
    .optional()
    .meta({ description: 'Address under which E2B sandboxes are reached. Default: follows from E2B_DOMAIN.' }),
  SANDBOX_NETWORK: z.enum(['public', 'platform', 'none']).default('public').meta({
    description: "What agents' commands can reach: the public internet and the API, only the API, or nothing.",
  }),
  SANDBOX_STARTS: z.coerce.number().int().min(1).default(8).meta({
    description:
      'Number of sandboxes that one worker starts, stops or removes at the same time; further ones wait. The starts of one account can use three quarters of them.',
  }),
  SANDBOX_PREPARE_SECONDS: z.coerce.number().min(0).default(3).meta({
    description:
      'A repository gets a prepared base if its sandboxes take at least this time to create. 0: every repository gets one.',
  }),
  SANDBOX_IDLE_SECONDS: count.default(300).meta({ description: 'Idle time after which a sandbox may hibernate.' }),
  SANDBOX_LIFETIME_SECONDS: count
    .default(1800)
    .meta({ description: 'Time after which a started sandbox stops, unless it is extended.' }),
  SANDBOX_MAX_SECONDS: count
    .default(18_000)
    .meta({ description: 'Time after the start of a sandbox after which it is no longer extended.' }),
  SANDBOX_EXTEND_SECONDS: count.default(1200).meta({ description: 'Time that one extension adds to a sandbox.' }),
  SANDBOX_EXTEND_BEFORE_SECONDS: count
    .default(300)
    .meta({ description: 'A sandbox with a live run is extended when less than this is left.' }),
  SANDBOX_EXPIRY_BUFFER_SECONDS: count
    .default(10)
    .meta({ description: 'A sandbox counts as ended when less time than this is left before it stops.' }),
  SANDBOX_CHECK_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .default(5)
    .meta({ description: 'Shortest pause between two checks of the lifecycle of a session.' }),
}

type Values = z.output<z.ZodObject<typeof sandboxNames>>

const cloudSettings = {
  vercel: ['VERCEL_TOKEN', 'VERCEL_TEAM_ID', 'VERCEL_PROJECT_ID'],
  e2b: ['E2B_API_KEY'],
} as const

/** The sandbox settings for `createSandboxes`; validation has already refused missing ones. */
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
  names: sandboxNames,
  faults: sandboxFaults,
}

function sandboxFaults(config: Values): string[] {
  const provider = config.SANDBOX_PROVIDER
  if (provider !== 'vercel' && provider !== 'e2b') return []
  const missing = cloudSettings[provider].filter((name) => config[name] === undefined)
  return missing.map((name) => `${name} is required for SANDBOX_PROVIDER=${provider}.`)
}
