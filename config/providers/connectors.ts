import { z } from 'zod'
import { toolkitSlug } from '../../domain/connectors/connector.ts'
import { mayEmbed, rejectEmbedded, requireHttps, requireSettings, type Mode } from '../requirements.ts'
import { anyText, anyUrl, between, listOf, secret, splitList } from '../values.ts'

const connectorShape = {
  CONNECTOR_BROKER: z
    .enum(['embedded', 'composio', 'none'])
    .optional()
    .describe(
      'Broker of the connectors that no file in CONNECTORS_DIR describes: embedded (demo services), composio or none. Default: embedded, or none in production mode.',
    ),
  CONNECTOR_TOOLKITS: listOf((slug) => toolkitSlug.test(slug), 'must be a list of slugs')().describe(
    'Comma-separated slugs of the services that CONNECTOR_BROKER offers. Default: googlesheets, googledrive, googledocs, tiktok, instagram, youtube, twitter, linkedin; the embedded broker adds notebook and calendar.',
  ),
  CONNECTORS_DIR: anyText().describe(
    'Folder with one YAML file per OAuth service. Put the client ids and secrets into environment variables whose names start with CONNECTOR_CLIENT_.',
  ),
  CONNECTOR_ACTION_SECONDS: between(1, 60)(60).describe('Timeout, in seconds, of an action at a connected service.'),
  COMPOSIO_API_KEY: secret('API key for CONNECTOR_BROKER=composio.'),
  COMPOSIO_API_URL: anyUrl('https://backend.composio.dev').describe('URL of the Composio API.'),
  SERVER_SECRET_PREVIOUS: secret(
    'The previous SERVER_SECRET. Grants of connectors that were encrypted with it are decrypted, and re-encrypted with SERVER_SECRET when they are used.',
    32,
  ),
}

type Values = z.output<z.ZodObject<typeof connectorShape>>
type WithMode = Values & Mode

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
  const broker = chooseBroker(config)
  return [
    ...(broker === 'embedded' ? rejectEmbedded(config, 'CONNECTOR_BROKER', 'connectors', 'another broker') : []),
    ...(broker === 'composio' ? requireSettings(config, ['COMPOSIO_API_KEY'], 'with CONNECTOR_BROKER=composio') : []),
    ...requireHttps(config, ['COMPOSIO_API_URL']),
  ]
}
