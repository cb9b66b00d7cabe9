import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { oas31 } from 'zod-openapi'
import { siteSettings, type Config } from '../../config.ts'
import { listFacts } from '../../domain/site/content/facts.ts'
import type { ContentFile } from '../../domain/site/content/hand-written.ts'
import { createRegistry, type Registry } from '../../domain/site/content/registry.ts'
import { specificationPath } from '../../domain/site/discovery/about.ts'
import { documentPaths } from '../../domain/site/discovery/index.ts'
import { toolsDocument } from '../../domain/site/discovery/openapi.ts'
import { createPublicContent, type PublicContent } from '../../domain/site/public-content.ts'
import type { Route } from '../http/route.ts'
import { indexPaths } from './pages/site.ts'
import { createRouteDescriber, type DescribeRoutes } from '../reference/openapi.ts'

/** Folder of the content: next to the bundle of a build, or in the source tree. */
export const [contentFolder = ''] = ['content', '../../content']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .filter((path) => existsSync(join(path, 'ids.txt')))

/** Paths that links in the content may point to, in addition to the paths of the entries. */
const otherPaths = [...indexPaths, ...documentPaths]

/** `specification` is the OpenAPI document of the tools. */
export type SiteContent = Registry & PublicContent & { specification: object }

/**
 * Loads, checks and indexes all public content, including the API reference that is generated from `routes`. Throws one error
 * that lists all errors in the content.
 */
export async function loadContent(
  config: Config,
  routes: readonly Route[],
  describe: DescribeRoutes = createRouteDescriber(config.baseUrl),
): Promise<SiteContent> {
  const { siteUrl, serviceName, contact } = siteSettings(config)
  const { baseUrl, plans, prices } = config
  const serviceFacts = { serviceName, siteUrl, baseUrl, contact, plans: plans.table, prices }
  const options = { siteUrl, facts: listFacts(serviceFacts), otherPaths, digest }
  const specification = toolsDocument(serviceFacts, digest)
  const registry = createRegistry(
    await readFiles(),
    [
      { url: `${baseUrl}/openapi.json`, document: JSON.parse(describe(routes)) as oas31.OpenAPIObject },
      { url: siteUrl + specificationPath, document: specification },
    ],
    options,
  )
  return {
    ...registry,
    ...createPublicContent(registry.entries, { serviceName, contentVersion: registry.version, digest }),
    specification,
  }
}

/** Reads all ids that have ever been public, one per line. A public id must not be renamed or reused. */
export function readPublicIds(): Promise<string> {
  return readFile(join(contentFolder, 'ids.txt'), 'utf8')
}

async function readFiles(): Promise<ContentFile[]> {
  const names = await readdir(contentFolder, { recursive: true })
  return Promise.all(
    names
      .filter((name) => name.endsWith('.md'))
      .map(async (path) => ({
        path: path.replaceAll('\\', '/'),
        text: await readFile(join(contentFolder, path), 'utf8'),
      })),
  )
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest()
}
