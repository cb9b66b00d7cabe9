import type { Admit } from '../../../api/site/limits/admission.ts'
import { createMetrics } from '../../../api/monitoring/metrics.ts'
import { createDocuments } from '../../../api/site/documents.ts'
import { createMcpEndpoint } from '../../../api/site/mcp/endpoint.ts'
import { createSitePages } from '../../../api/site/pages/middleware.ts'
import { measureSearches } from '../../../api/monitoring/site-searches.ts'
import { createToolRoutes } from '../../../api/site/tool-routes.ts'
import type { Entry, EntryType } from '../../../domain/site/content/entry.ts'
import { discoveryDocuments } from '../../../domain/site/discovery/index.ts'
import type { Figures } from '../../../domain/site/figures.ts'
import { finishSlices } from '../../../domain/site/slices.ts'
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

const operation = (id: string, title: string, method: string, path: string): Entry => {
  const created = entry(id, title, prose)
  return {
    ...created,
    header: { ...created.header, api: { method, path, specificationUrl: `${siteUrl}/openapi.json` } },
  }
}

const post = (id: string, title: string, publishedAt: string): Entry => {
  const created = entry(id, title, prose)
  const markdown = created.markdown.replace(/\n\nWhat there is.*/, `\n\nAuthor: The team\n\nPublished: ${publishedAt}`)
  return {
    ...created,
    markdown: `${markdown}\n\n${prose}`,
    header: { ...created.header, publishedAt },
    author: 'The team',
    category: 'Engineering',
  }
}

const prose = 'A turn continues without a reader, and a reader comes back to the frame where it left.'
const richText = `${prose.repeat(3)}

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
  entry(
    'docs:index',
    'Documentation',
    `${prose}

## Where do I start?

The [quickstart](${siteUrl}/docs/quickstart) comes first.

## How do agents answer and act?

See [streams](${siteUrl}/docs/streaming-and-resume#what-a-client-does), and again the [quickstart](${siteUrl}/docs/quickstart).`,
  ),
  entry(
    'docs:api-reference',
    'API reference',
    `## Chat\n\n- [POST /api/chat](${siteUrl}/docs/api-reference/chat/send-turn): Send a message`,
  ),
  operation('docs:api-reference/chat/send-turn', 'Send a message', 'POST', '/api/chat'),
  entry('docs:quickstart', 'Quickstart', richText),
  entry('docs:streaming-and-resume', 'Streaming and resume', richText.repeat(12)),
  entry('docs:hostile', 'What must not run', hostile),
  entry('playbook:weekly-report', 'A weekly streaming report', prose),
  entry('playbook:first-valuation', 'Run your first valuation', prose),
  post('blog:streams', 'Streams that survive a disconnect', '2026-11-23'),
  post('blog:owners', 'One owner for each workflow', '2026-11-20'),
]

const figures: Figures = {
  peers: {
    measuredOn: '2 cores',
    rounds: 3,
    peers: [
      { name: 'Backline', versions: 'one 1.0.0', setup: 'one worker' },
      { name: 'Another', versions: 'two 2.0.0', setup: '`npm start`' },
    ],
    rows: [
      {
        name: 'afterKill',
        title: 'what the client has',
        how: 'missing tokens',
        cells: [{ text: 'whole' }, { text: 'the rest is lost' }],
      },
      {
        name: 'recovery',
        title: 'kill to token',
        how: 'up to the first token',
        better: 'less',
        cells: [
          { value: 1162, text: '1,162 ms' },
          { value: 686, text: '686 ms' },
        ],
      },
    ],
  },
  recording: {
    recordedOn: '2 cores',
    question: 'Which songs matter most?',
    killedMs: 300,
    endedMs: 1500,
    words: [
      { text: 'Three', atMs: 100, attempt: 1 },
      { text: 'of', atMs: 200, attempt: 1 },
      { text: 'Three', atMs: 520, attempt: 2 },
      { text: 'songs', atMs: 600, attempt: 2 },
    ],
  },
}

type Options = {
  content?: Partial<PublicContent>
  admit?: Admit
  onError?: (error: unknown, requestId?: string) => void
}

/** Starts a site on a free port without a database and Temporal. */
export const startSite = async ({ content: contentOverrides, admit = () => {}, onError = rethrow }: Options = {}) => {
  const metrics = createMetrics()
  const publicContent = finishSlices(
    createPublicContent(entries, {
      serviceName: 'Backline',
      contentVersion: '3f9a1c0b7e24',
      digest: (text: string) => Buffer.from(text),
    }),
  )
  const content = measureSearches({ ...publicContent, ...contentOverrides }, metrics)
  const about = {
    entries,
    siteUrl,
    serviceName: 'Backline',
    baseUrl: 'https://api.example',
    contact: 'hello@site.example',
  }
  const pageOptions = { ...about, content, version: '1.2.3', consoleUrl: 'https://api.example/console', figures }
  const site = await listenWith(
    [
      createDocuments(discoveryDocuments({ about, contentSignal: 'search=yes', specification: {} })),
      createToolRoutes({ content, admit, onError }),
      createMcpEndpoint({ content, admit, onError, hosts: new Set(['127.0.0.1']) }),
      await createSitePages(pageOptions, { isServedElsewhere: (url) => url.startsWith('/platform'), admit, onError }),
      (ctx) => void ctx.res.writeHead(404).end('Not Found'),
    ],
    metrics,
  )
  return { ...site, metrics }
}

const rethrow = (error: unknown): never => {
  throw error
}
