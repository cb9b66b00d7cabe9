import type { Admit } from '../../../api/site/limits/admission.ts'
import { createMetrics } from '../../../api/monitoring/metrics.ts'
import { createDocuments } from '../../../api/site/documents.ts'
import { createMcpEndpoint } from '../../../api/site/mcp/endpoint.ts'
import { createSitePages } from '../../../api/site/pages/middleware.ts'
import { measureSearches } from '../../../api/monitoring/site-searches.ts'
import { createToolRoutes } from '../../../api/site/tool-routes.ts'
import type { Entry, EntryType } from '../../../domain/site/content/entry.ts'
import { discoveryDocuments } from '../../../domain/site/discovery/index.ts'
import { createPublicContent, type PublicContent } from '../../../domain/site/public-content.ts'
import { listenWith } from '../listen.ts'

export const siteUrl = 'https://site.example'

const folders: Record<EntryType, string> = { page: '', docs: '/docs', blog: '/blog', playbook: '/playbooks' }

const entry = (id: string, title: string, body: string): Entry => {
  const [type, slug] = id.split(':') as [EntryType, string]
  const path = type === 'page' ? slug : slug === 'index' ? folders[type] : `${folders[type]}/${slug}`
  const url = siteUrl + path
  const description = `What there is to say about ${title.toLowerCase()}, in one sentence.`
  return {
    header: { id, type, title, description, url, representation: 'full' },
    markdown: `# ${title}\n\nSource: <${url}>\n\n${description}\n\n${body}`,
    keywords: '',
    headings: '',
    plain: `${description} ${body}`,
  }
}

const prose = 'A turn continues without a reader, and a reader comes back to the frame where it left.'
const rich = `${prose.repeat(3)}

## What a client does

1. Keep the last \`id:\` of the stream.
2. Ask for the rest with it.

\`\`\`sh
curl -sSN "https://api.example/api/chat/CHAT/stream" -H "x-api-key: <API_KEY>" -H 'Last-Event-ID: 12' --retry 5
\`\`\`

| Status | Meaning | What to do |
|---|---|---|
| 200 | The stream goes on from the frame after the one that was named | Read it to its end |
| 204 | Nothing runs | Load the chat |

See [the quickstart](${siteUrl}/docs/quickstart) or [write](mailto:hello@site.example).`
const hostile =
  '<script>alert(1)</script>\n\n[x](javascript:alert(1)) ![pic](https://tracker.example/x.png) <b>bold</b>'

export const entries = [
  entry('page:/', 'Durable work for music teams', prose.repeat(2)),
  entry('page:/tools', 'Tools to try', prose),
  entry('page:/agents', 'Guide for agents', prose),
  entry('page:/contact', 'Contact', prose),
  entry('page:/pricing', 'Pricing', prose),
  entry('page:/terms', 'Terms of use', prose),
  entry('page:/privacy', 'Privacy', prose),
  entry('page:/royalty-reporting', 'Royalty reporting', prose),
  entry('page:/catalog-valuation', 'Catalog valuation', prose),
  entry('docs:index', 'Documentation', prose),
  entry('docs:quickstart', 'Quickstart', rich),
  entry('docs:streaming-and-resume', 'Streaming and resume', rich.repeat(12)),
  entry('docs:hostile', 'What must not run', hostile),
  entry('playbook:weekly-report', 'A weekly streaming report', prose),
  entry('blog:streams', 'Streams that survive a disconnect', prose),
]

type Options = {
  content?: Partial<PublicContent>
  admit?: Admit
  onError?: (error: unknown, requestId?: string) => void
}

/** Starts a site on a free port, without database and engine. */
export const startSite = async ({ content: replaced, admit = () => {}, onError = fail }: Options = {}) => {
  const metrics = createMetrics()
  const publicContent = createPublicContent(entries, {
    serviceName: 'Backline',
    contentVersion: '3f9a1c0b7e24',
    digest: (text: string) => Buffer.from(text),
  })
  const content = measureSearches({ ...publicContent, ...replaced }, metrics)
  const about = {
    entries,
    siteUrl,
    serviceName: 'Backline',
    baseUrl: 'https://api.example',
    contact: 'hello@site.example',
  }
  const site = await listenWith(
    [
      createDocuments(discoveryDocuments({ about, contentSignal: 'search=yes', specification: {} })),
      createToolRoutes({ content, admit, onError }),
      createMcpEndpoint({ content, admit, onError, hosts: new Set(['127.0.0.1']) }),
      await createSitePages(
        { ...about, content },
        { isElsewhere: (url) => url.startsWith('/platform'), admit, onError },
      ),
      (ctx) => void ctx.res.writeHead(404).end('Not Found'),
    ],
    metrics,
  )
  return { ...site, metrics }
}

const fail = (error: unknown): never => {
  throw error
}
