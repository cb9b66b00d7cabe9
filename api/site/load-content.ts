import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { oas31 } from 'zod-openapi'
import { siteSettings, type Config } from '../../config.ts'
import { finishSlices, type Slices } from '../../domain/site/slices.ts'
import { listFacts } from '../../domain/site/content/facts.ts'
import type { ContentFile } from '../../domain/site/content/hand-written.ts'
import { checkRegistry, createRegistry, type Registry } from '../../domain/site/content/registry.ts'
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
 * Loads and indexes all public content, including the API reference that is generated from `routes`. Throws one error that
 * lists all invalid hand-written files. Works in slices, so that streams continue; only the generation of the reference takes
 * 0.2 seconds at once.
 */
export async function loadContent(
  config: Config,
  routes: readonly Route[],
  describe: DescribeRoutes = createRouteDescriber(config.baseUrl),
): Promise<SiteContent> {
  const { serviceName } = siteSettings(config)
  const sources = await readSources(config, routes, describe)
  const registry = await runInSlices(createRegistry(sources.files, sources.documents, sources.options))
  const options = { serviceName, contentVersion: registry.version, digest }
  const publicContent = await runInSlices(createPublicContent(registry.entries, options))
  return { ...registry, ...publicContent, specification: sources.specification }
}

/** Throws an error that lists all problems of the content, such as broken links. */
export async function checkContent(config: Config, routes: readonly Route[]): Promise<void> {
  const { files, documents, options } = await readSources(config, routes, createRouteDescriber(config.baseUrl))
  checkRegistry(finishSlices(createRegistry(files, documents, options)), documents, options)
}

async function readSources(config: Config, routes: readonly Route[], describe: DescribeRoutes) {
  const { siteUrl, serviceName, contact } = siteSettings(config)
  const { baseUrl, plans, prices } = config
  const serviceFacts = { serviceName, siteUrl, baseUrl, contact, plans: plans.table, prices }
  const specification = toolsDocument(serviceFacts, digest)
  return {
    files: await readFiles(),
    documents: [
      { url: `${baseUrl}/openapi.json`, document: JSON.parse(describe(routes)) as oas31.OpenAPIObject },
      { url: siteUrl + specificationPath, document: specification },
    ],
    options: { siteUrl, facts: listFacts(serviceFacts), otherPaths, digest },
    specification,
  }
}

/** Milliseconds after which a run of slices yields. */
const maxRunMs = 8

async function runInSlices<Result>(slices: Slices<Result>): Promise<Result> {
  for (;;) {
    const endAt = performance.now() + maxRunMs
    while (performance.now() < endAt) {
      const { done, value } = slices.next()
      if (done === true) return value
    }
    await yieldToEventLoop()
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
