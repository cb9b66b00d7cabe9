import { z } from 'zod'
import { toolkitSlug } from '../../domain/connectors/connector.ts'
import { mayEmbed } from '../service.ts'
import { count, splitList, loopbackHostnames } from '../values.ts'

const connectorShape = {
  CONNECTOR_BROKER: z.enum(['embedded', 'composio', 'none']).optional().meta({
    description:
      'Broker of the connectors that no file in CONNECTORS_DIR describes: embedded (demo services), composio or none. Default: embedded, or none in production mode.',
  }),
  CONNECTOR_TOOLKITS: z
    .string()
    .refine((text) => splitList(text).every((slug) => toolkitSlug.test(slug)), { error: 'must be a list of slugs' })
    .optional()
    .meta({
      description:
        'Comma-separated slugs of the services that CONNECTOR_BROKER offers. Default: googlesheets, googledrive, googledocs, tiktok, instagram, youtube, twitter, linkedin; the embedded broker adds notebook and calendar.',
    }),
  CONNECTORS_DIR: z.string().optional().meta({
    description:
      'Folder with one YAML file per OAuth service. Put the client ids and secrets into environment variables whose names start with CONNECTOR_CLIENT_.',
  }),
  CONNECTOR_ACTION_SECONDS: count
    .min(1)
    .max(60)
    .default(60)
    .meta({ description: 'Timeout, in seconds, of an action at a connected service.' }),
  COMPOSIO_API_KEY: z.string().optional().meta({ description: 'API key for CONNECTOR_BROKER=composio.', secret: true }),
  COMPOSIO_API_URL: z.url().default('https://backend.composio.dev').meta({ description: 'URL of the Composio API.' }),
  SERVER_SECRET_PREVIOUS: z.string().min(32).optional().meta({
    description:
      'The previous SERVER_SECRET. Grants of connectors that were encrypted with it are decrypted, and re-encrypted with SERVER_SECRET when they are used.',
    secret: true,
  }),
}

type Values = z.output<z.ZodObject<typeof connectorShape>>
type WithMode = Values & { PRODUCTION_MODE: boolean; ALLOW_EMBEDDED?: string | undefined }

const clientSetting = /^CONNECTOR_CLIENT_[A-Z0-9_]{1,100}$/

/** Returns the client ids and secrets by the names that connector descriptions use. */
export function connectorClients(environment: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      clientSetting.test(name) && value !== undefined && value !== '' ? [[name, value]] : [],
    ),
  )
}

/** Returns the settings for `createConnectors`. Validation has already rejected missing settings. */
export function connectorSettings(
  config: WithMode & {
    SERVER_SECRET?: string | undefined
    ALLOW_PRIVATE_FETCH: boolean
    baseUrl: string
    connectorClients: Record<string, string>
  },
) {
  return {
    broker: chooseBroker(config),
    toolkits: config.CONNECTOR_TOOLKITS === undefined ? undefined : [...new Set(splitList(config.CONNECTOR_TOOLKITS))],
    baseUrl: config.baseUrl,
    folder: config.CONNECTORS_DIR,
    own: {
      secrets: [config.SERVER_SECRET ?? '', ...(config.SERVER_SECRET_PREVIOUS ? [config.SERVER_SECRET_PREVIOUS] : [])],
      clients: config.connectorClients,
      allowPrivate: config.ALLOW_PRIVATE_FETCH,
    },
    composio: {
      apiUrl: config.COMPOSIO_API_URL,
      apiKey: config.COMPOSIO_API_KEY ?? '',
      allowPrivate: config.ALLOW_PRIVATE_FETCH,
    },
  }
}

export const connectorGroup = { settings: connectorShape, validate: validateConnectors }

function chooseBroker(config: WithMode) {
  const defaultBroker = config.PRODUCTION_MODE && !mayEmbed(config, 'connectors') ? 'none' : 'embedded'
  return config.CONNECTOR_BROKER ?? defaultBroker
}

function validateConnectors(config: WithMode): string[] {
  const { hostname, protocol } = new URL(config.COMPOSIO_API_URL)
  const broker = chooseBroker(config)
  return [
    ...(broker === 'embedded' && config.PRODUCTION_MODE && !mayEmbed(config, 'connectors')
      ? [
          'CONNECTOR_BROKER must not be embedded in production mode: choose another broker, or add connectors to ALLOW_EMBEDDED.',
        ]
      : []),
    ...(broker === 'composio' && config.COMPOSIO_API_KEY === undefined
      ? ['COMPOSIO_API_KEY is required with CONNECTOR_BROKER=composio.']
      : []),
    ...(protocol === 'https:' || loopbackHostnames.has(hostname)
      ? []
      : ['COMPOSIO_API_URL must be an https URL; http is allowed only for localhost.']),
  ]
}
