import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import helmet from 'helmet'
import { z } from 'zod'
import { siteSettings, type Config } from '../../config.ts'
import { tokens } from '../../domain/pages/tokens.ts'
import { notFound } from '../http/errors.ts'
import type { HeaderRecord } from '../http/answers/headers.ts'
import { route, streamedResponse, type Route } from '../http/route.ts'
import { serviceTag } from '../monitoring/health.ts'
import type { DescribeRoutes } from './openapi.ts'
import { renderDocument } from '../../domain/pages/document.ts'
import { html, type Html } from '../../domain/pages/html.ts'
import { mark, markUrl } from '../../domain/pages/mark.ts'

const routeDefaults = {
  method: 'GET',
  tag: serviceTag,
  auth: 'none',
  ownership: 'Returns no account data.',
  envelope: 'standard',
  bodyLimit: 0,
  rate: 'none',
} as const

/** Files of the page and their media types. Other files are not served. */
const files: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
  'start.js': 'text/javascript; charset=utf-8',
}

/** Possible folders of the files that are not from Swagger UI: next to the bundle, or in the sources. */
const ownFolders = ['./web/reference/', '../../web/reference/'].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
)

/** Routes that serve the OpenAPI document of all routes and its page. The page loads nothing from other hosts. */
export function documentationRoutes(config: Config, allRoutes: readonly Route[], describe: DescribeRoutes): Route[] {
  const document = once(() => describe(allRoutes))
  const readPageFile = createFileReader()
  const headers = pageHeaders(new URL(config.baseUrl).origin)
  const { siteUrl, serviceName } = siteSettings(config)
  const page = referencePage({ serviceName, siteUrl: config.SITE ? siteUrl : undefined })
  return [
    route({
      ...routeDefaults,
      path: '/openapi.json',
      summary: 'Read the OpenAPI document',
      responses: { 200: streamedResponse('application/json', 'OpenAPI 3.1.') },
      handle: async () => ({ status: 200, body: document() }),
    }),
    route({
      ...routeDefaults,
      path: '/reference',
      summary: 'Show the API reference',
      responses: { 200: streamedResponse('text/html', 'HTML.') },
      handle: async () => ({
        status: 200,
        headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
        body: page,
      }),
    }),
    route({
      ...routeDefaults,
      path: '/reference/{file}',
      summary: 'Read a file of the API reference',
      params: z.object({ file: z.string() }),
      responses: { 200: streamedResponse('application/octet-stream', 'The file.') },
      errors: ['not_found'],
      handle: async ({ params: { file } }) => {
        const mediaType = Object.hasOwn(files, file) ? files[file] : undefined
        if (mediaType === undefined) throw notFound()
        return {
          status: 200,
          headers: { ...headers, 'content-type': mediaType, 'cache-control': 'public, max-age=3600' },
          body: await readPageFile(file),
        }
      },
    }),
  ]
}

function createFileReader(): (name: string) => Promise<Buffer> {
  const packageFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const ownFolder = ownFolders.find(existsSync) ?? ''
  return async (name) => {
    const content = await readFile(join(name.startsWith('swagger-ui') ? packageFolder : ownFolder, name))
    return name === 'page.css' ? Buffer.concat([Buffer.from(tokens), content]) : content
  }
}

function once<T>(make: () => T): () => T {
  let cached: { value: T } | undefined
  return () => (cached ??= { value: make() }).value
}

/** Returns helmet's security headers. They allow no external sources, no inline scripts, and requests to this API only. */
function pageHeaders(apiOrigin: string): HeaderRecord {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  const setHeaders = helmet({
    // The proxy that terminates TLS sets this header.
    strictTransportSecurity: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", apiOrigin],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
  })
  setHeaders(response.req, response, () => undefined)
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]))
}

type ReferencePage = {
  serviceName: string
  /** Origin of the site; undefined if this process serves none. */
  siteUrl: string | undefined
}

/** Renders the page of the reference, in which Swagger UI shows the operations of `openapi.json`. */
function referencePage({ serviceName, siteUrl }: ReferencePage): string {
  return renderDocument({
    title: `API reference · ${serviceName}`,
    head: html`<meta name="color-scheme" content="light dark" />
      <link rel="icon" type="image/svg+xml" href="${markUrl}" />
      <link rel="stylesheet" href="reference/swagger-ui.css" />
      <link rel="stylesheet" href="reference/page.css" />`,
    body: html`<a class="skip" href="#operations">Skip to content</a>
      <header class="bar">
        ${
          siteUrl === undefined
            ? html`<span class="brand">${mark}${serviceName}</span>`
            : html`<a class="brand" href="${siteUrl}/">${mark}${serviceName}</a>`
        }
        <nav aria-label="Documentation">
          ${siteUrl !== undefined && siteLinks(siteUrl)}
          <a href="openapi.json">OpenAPI document</a>
        </nav>
      </header>
      <div id="root"></div>
      <script src="reference/swagger-ui-bundle.js"></script>
      <script src="reference/start.js"></script>`,
  })
}

function siteLinks(siteUrl: string): Html {
  return html`<a href="${siteUrl}/docs">Guides</a>
    <a href="${siteUrl}/docs/api-reference">A page for each operation</a>`
}
