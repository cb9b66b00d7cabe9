import type { Entry } from '../content/entry.ts'
import { access, mcpPath, specificationPath, type About } from './about.ts'

const maxFullBytes = 1024 * 1024
const encoder = new TextEncoder()
const separator = '\n---\n\n'

/** Returns `/llms.txt`: every page and guide with its description, and how to search and read. */
export function llmsIndex(about: About): string {
  const { serviceName, siteUrl, baseUrl, entries } = about
  const listByType = (type: Entry['header']['type']): string =>
    entries
      .filter(({ header }) => header.type === type && header.api === undefined)
      .map(({ header: { title, url, description } }) => `- [${title}](${url}): ${description}`)
      .join('\n')
  const home = entries.find(({ header }) => header.id === 'page:/')?.header.description ?? ''
  return `# ${serviceName}

> ${home}

Start here:

- [Documentation](${siteUrl}/docs)
- [Quickstart](${siteUrl}/docs/quickstart)
- [API reference](${siteUrl}/docs/api-reference)
- [Guide for agents](${siteUrl}/agents.md)
- [Full text](${siteUrl}/llms-full.txt)

Search: \`GET ${siteUrl}/agent-api/v1/search?query=...\`, then read a result by its id:
\`GET ${siteUrl}/agent-api/v1/read?id=...\`. Every page is also available as Markdown: add \`.md\` to its URL.

## Pages

${listByType('page')}

## Guides

${listByType('docs')}

## Playbooks

${listByType('playbook')}

## Blog

${listByType('blog')}

## Access

- ${access}
- The platform API is at ${baseUrl}; its key goes into the header \`x-api-key\`.
`
}

/** Returns `/llms-full.txt`: all texts in the order of ids, and operations as links. Omits parts that would exceed 1 MiB. */
export function llmsFull({ serviceName, entries }: About): string {
  const head = `All public pages, guides, playbooks and posts of ${serviceName}, as Markdown; operations of the API as links. ${access}\n`
  const texts = entries.filter(({ header }) => header.api === undefined).map(({ markdown }) => separator + markdown)
  const operations = entries
    .filter(({ header }) => header.api !== undefined)
    .map(({ header: { title, url } }) => `- [${title}](${url})\n`)
  const parts = [head, ...texts, `${separator}# Operations of the API\n\n`, ...operations]
  let bytes = 0
  return parts.filter((part) => (bytes += encoder.encode(part).length) <= maxFullBytes).join('')
}

/** Returns `/agents.md`: the guide for programs that use the site. */
export function agentGuide({ serviceName, siteUrl, baseUrl }: About): string {
  return `# Guide for agents

${access}

## What can a visitor do?

- Find and read what ${serviceName} publishes: pages, guides, API reference, posts and playbooks.
- Calculate what a task costs and might save, from five numbers of the visitor.
- See what an automation still needs, from seven answers.
- Arrange the visitor's words into a brief that the visitor sends, or does not.

## Interfaces

- HTTP: \`GET ${siteUrl}/agent-api/v1/search\`, \`GET ${siteUrl}/agent-api/v1/read\`, \`POST ${siteUrl}/agent-api/v1/tools\`.
  Described in [OpenAPI](${siteUrl}${specificationPath}).
- MCP: \`POST ${siteUrl}${mcpPath}\`, streamable HTTP without sessions. [Server card](${siteUrl}${mcpPath}/server-card).
- WebMCP: each page of the site offers the same tools where the browser has \`document.modelContext\`.
- Documents: [catalog](${siteUrl}/agents/catalog.json), [index](${siteUrl}/llms.txt), [full text](${siteUrl}/llms-full.txt).

## Reading in parts

A search returns at most 10 results and a \`nextCursor\`; send it with the same query and type for the next page. A read returns
up to 12,000 characters and a \`nextOffset\`, which is null at the end. If \`X-Content-Version\` changes between two parts, start again.

## Errors

\`{"error":{"code","message","issues"}}\`: 400 names the fields, 404 is an id without a page, 429 and 503 have
\`Retry-After\`. MCP tools return the same body with \`isError\`.

## Limits

- Queries of 240 characters, bodies of 16,384 bytes; of 32,768 at \`${mcpPath}\`.
- Requests are counted by address, and many at once are 429.

## The platform API

${baseUrl} runs agents, sandboxes and tasks for accounts, and needs the header \`x-api-key\`. Begin with the
[quickstart](${siteUrl}/docs/quickstart).
`
}
