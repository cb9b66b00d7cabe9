import { rm } from 'node:fs/promises'
import { afterAll, beforeAll } from 'vitest'
import { connectorSettings } from '../../../config.ts'
import { createDemoStore } from '../../../db/connectors/demo.ts'
import { createGrantStore } from '../../../db/connectors/grants.ts'
import { createComposioBroker } from '../../../providers/connectors/composio/index.ts'
import { createEmbeddedBroker, type EmbeddedBroker } from '../../../providers/connectors/embedded/index.ts'
import { createActionFiles } from '../../../providers/connectors/action-files.ts'
import { readDescriptions } from '../../../providers/connectors/own/description.ts'
import { createFileBroker } from '../../../providers/connectors/own/index.ts'
import type { BrokerPort } from '../../../providers/connectors/index.ts'
import { createWorld, type World } from '../../world/world.ts'
import { composioKey, serveComposio } from '../vendors/composio.ts'
import { clientSettings, serveStudio } from '../vendors/sign-in/oauth-service.ts'
import { describeBroker } from './contract.ts'

let world: World
let studio: Awaited<ReturnType<typeof serveStudio>>
let vendor: Awaited<ReturnType<typeof serveComposio>>
let folder: string
let embedded: EmbeddedBroker
let ownBroker: BrokerPort
let composio: BrokerPort

beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { CONNECTOR_BROKER: 'none' } })
  studio = await serveStudio()
  vendor = await serveComposio()
  folder = await studio.describe()
  const files = createActionFiles(world.deps.store)
  const { baseUrl } = world.config
  const toolkits = [{ slug: 'notebook', name: 'Notes' }]
  embedded = createEmbeddedBroker({ store: createDemoStore(world.db), files, toolkits, baseUrl })
  const descriptions = await readDescriptions(folder, clientSettings)
  const settings = { ...connectorSettings(world.config).own, clients: clientSettings, allowPrivate: true }
  ownBroker = createFileBroker({ ...settings, descriptions, store: createGrantStore(world.db), files })
  composio = createComposioBroker({
    apiUrl: vendor.url,
    apiKey: composioKey,
    allowPrivate: true,
    toolkits: [{ slug: 'wall', name: 'Wall' }],
  })
})
afterAll(async () => {
  await world.close()
  await studio.close()
  await vendor.close()
  await rm(folder, { recursive: true, force: true })
})

const createEntityId = async (): Promise<string> => {
  const { id } = await world.makeAccount()
  return `${id}:${id}`
}
const parseLocation = (location: string | null): URLSearchParams => new URL(location ?? '').searchParams
const followRedirect = async (url: string): Promise<URLSearchParams> =>
  parseLocation((await fetch(url, { redirect: 'manual' })).headers.get('location'))

describeBroker('the embedded broker', () => ({
  broker: embedded.broker,
  accountName: 'demo account',
  toolkit: 'notebook',
  action: 'NOTEBOOK_ADD_NOTE',
  parameters: { title: 'A', text: '' },
  refused: { action: 'NOTEBOOK_DELETE_NOTE', parameters: { id: 'none' } },
  answerConsent: async (redirectUrl, choice) => {
    const url = new URL(redirectUrl)
    const consent = { callback: url.searchParams.get('callback') ?? '', state: url.searchParams.get('state') ?? '' }
    const response = await embedded.pages.submit(url.pathname.split('/').at(-1) ?? '', consent, choice)
    return parseLocation(response.headers['location'] ?? null)
  },
  createEntityId,
}))

describeBroker('our own connectors', () => ({
  broker: ownBroker,
  accountName: 'grace',
  toolkit: 'studio',
  action: 'STUDIO_CREATE_BOOKING',
  parameters: { body: { room: 'A' } },
  refused: { action: 'STUDIO_BE_STRICT', parameters: { body: {} } },
  answerConsent: followRedirect,
  createEntityId,
}))

describeBroker('Composio', () => ({
  broker: composio,
  accountName: null,
  toolkit: 'wall',
  action: 'WALL_POST_TEXT',
  parameters: { text: 'A' },
  refused: { action: 'WALL_REFUSE', parameters: {} },
  answerConsent: followRedirect,
  createEntityId,
}))
