import type { Toolkit } from '../../domain/connectors/connector.ts'
import type { ComposioOptions } from './composio/index.ts'
import { demoToolkits } from './embedded/actions.ts'
import { createEmbeddedBroker } from './embedded/index.ts'
import type { ConsentPages } from './embedded/pages.ts'
import type { DemoStore } from './embedded/store.ts'
import type { BrokerPort, ActionFiles } from './index.ts'
import type { FileBrokerOptions } from './own/index.ts'
import type { GrantStore } from './own/tokens.ts'

export type ConnectorSettings = {
  broker: 'embedded' | 'composio' | 'none'
  /** Defaults to a built-in list. */
  toolkits: readonly string[] | undefined
  baseUrl: string
  /** Folder of connector descriptions; undefined if there is none. */
  folder: string | undefined
  own: Omit<FileBrokerOptions, 'store' | 'files' | 'descriptions'>
  composio: ComposioOptions
}

export type ConnectorStores = { demo: DemoStore; grants: GrantStore; files: ActionFiles }

/** All brokers of a deployment. Each toolkit belongs to one broker. */
export type Connectors = {
  brokers: readonly BrokerPort[]
  toolkits: readonly Toolkit[]
  findBroker(toolkit: string): BrokerPort | undefined
}

const defaultToolkits: Record<string, string> = {
  googlesheets: 'Google Sheets',
  googledrive: 'Google Drive',
  googledocs: 'Google Docs',
  tiktok: 'TikTok',
  instagram: 'Instagram',
  youtube: 'YouTube',
  twitter: 'Twitter',
  linkedin: 'LinkedIn',
}

/** Creates the configured brokers and the pages of the embedded broker. The file broker takes precedence for its services. */
export async function createConnectors(
  settings: ConnectorSettings,
  stores: ConnectorStores,
): Promise<{ connectors: Connectors; consentPages?: ConsentPages }> {
  const own = settings.folder === undefined ? undefined : await openFileBroker(settings, settings.folder, stores)
  const describedSlugs = new Set(own?.toolkits.map(({ slug }) => slug))
  const otherToolkits = listToolkits(settings).filter(({ slug }) => !describedSlugs.has(slug))
  if (settings.broker === 'composio') {
    const { createComposioBroker } = await import('./composio/index.ts')
    return {
      connectors: combineBrokers([own, createComposioBroker({ ...settings.composio, toolkits: otherToolkits })]),
    }
  }
  if (settings.broker === 'none') return { connectors: combineBrokers([own]) }
  const { broker, pages } = createEmbeddedBroker({
    store: stores.demo,
    files: stores.files,
    toolkits: otherToolkits,
    baseUrl: settings.baseUrl,
  })
  return { connectors: combineBrokers([own, broker]), consentPages: pages }
}

async function openFileBroker({ own }: ConnectorSettings, folder: string, { grants, files }: ConnectorStores) {
  const [{ createFileBroker }, { readDescriptions }] = await Promise.all([
    import('./own/index.ts'),
    import('./own/description.ts'),
  ])
  const descriptions = await readDescriptions(folder, own.clients)
  return createFileBroker({ ...own, descriptions, store: grants, files })
}

function combineBrokers(candidates: readonly (BrokerPort | undefined)[]): Connectors {
  const brokers = candidates.filter((broker) => broker !== undefined)
  const byToolkit = new Map(
    brokers.flatMap((broker) => broker.toolkits.map(({ slug }): [string, BrokerPort] => [slug, broker])),
  )
  return {
    brokers,
    toolkits: brokers.flatMap(({ toolkits }) => toolkits),
    findBroker: (toolkit) => byToolkit.get(toolkit),
  }
}

function listToolkits({ toolkits, broker }: ConnectorSettings): Toolkit[] {
  const defaults = Object.entries(defaultToolkits).map(([slug, name]) => ({ slug, name }))
  if (toolkits === undefined) return broker === 'embedded' ? [...defaults, ...demoToolkits] : defaults
  const bySlug = new Map<string, Toolkit>([...defaults, ...demoToolkits].map((toolkit) => [toolkit.slug, toolkit]))
  return toolkits.map((slug) => bySlug.get(slug) ?? { slug, name: slug })
}
