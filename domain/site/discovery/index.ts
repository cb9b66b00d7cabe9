import { specificationPath, type About } from './about.ts'
import { agentCatalog, apiCatalog } from './catalog.ts'
import { robots, sitemap } from './crawlers.ts'
import { resourceDocument } from './resources.ts'
import { serverCard } from './server-card.ts'
import { agentGuide, llmsFull, llmsIndex } from './texts.ts'

export type DiscoveryDocument = { type: string; text: string }

const text = 'text/plain; charset=utf-8'
const markdown = 'text/markdown; charset=utf-8'
const json = 'application/json'
const linkset = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
const card = 'application/mcp-server-card+json'

type DiscoveryInput = { about: About; contentSignal: string; specification: object }

const documents: Readonly<Record<string, [type: string, write: (input: DiscoveryInput) => string | object]>> = {
  '/llms.txt': [text, ({ about }) => llmsIndex(about)],
  '/llms-full.txt': [text, ({ about }) => llmsFull(about)],
  '/agents.md': [markdown, ({ about }) => agentGuide(about)],
  '/agents/catalog.json': [json, ({ about }) => agentCatalog(about)],
  '/.well-known/api-catalog': [linkset, ({ about }) => apiCatalog(about)],
  '/.well-known/ard.json': [json, ({ about }) => resourceDocument(about)],
  '/.well-known/ai-catalog.json': ['application/ai-catalog+json', ({ about }) => resourceDocument(about)],
  '/mcp/server-card': [card, ({ about }) => serverCard(about)],
  '/.well-known/mcp/server-card.json': [card, ({ about }) => serverCard(about)],
  '/robots.txt': [text, ({ about, contentSignal }) => robots(about, contentSignal)],
  '/sitemap.xml': ['application/xml', ({ about }) => sitemap(about)],
  [specificationPath]: [json, ({ specification }) => specification],
}

export const documentPaths = Object.keys(documents)

/** Returns the discovery documents for programs, and each entry as Markdown, by path. */
export function discoveryDocuments(input: DiscoveryInput): Map<string, DiscoveryDocument> {
  const entries = input.about.entries.map(({ header: { url }, markdown: body }): [string, DiscoveryDocument] => {
    const { pathname } = new URL(url)
    return [pathname === '/' ? '/index.md' : `${pathname}.md`, { type: markdown, text: body }]
  })
  const generated = Object.entries(documents).map(([path, [type, write]]): [string, DiscoveryDocument] => {
    const content = write(input)
    return [path, { type, text: typeof content === 'string' ? content : JSON.stringify(content) }]
  })
  return new Map([...entries, ...generated])
}
