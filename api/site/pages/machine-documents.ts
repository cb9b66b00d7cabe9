import { html, type Html } from '../../../domain/pages/html.ts'

const documents = [
  ['/agent-api/v1/openapi.json', 'OpenAPI document of the tools'],
  ['/agents/catalog.json', 'Catalog of content, tools and interfaces'],
  ['/agents.md', 'This guide in machine-readable form'],
  ['/llms.txt', 'Index of the site for language models'],
  ['/llms-full.txt', 'The full text of the site'],
  ['/.well-known/api-catalog', 'API catalog'],
  ['/.well-known/ard.json', 'Discovery document'],
  ['/mcp/server-card', 'MCP server card'],
] as const

export function machineDocuments(): Html {
  return html`<h2 id="documents">Machine-readable documents</h2>
    <ul class="paths">
      ${documents.map(([path, label]) => html`<li><a href="${path}">${label}</a> <code>${path}</code></li> `)}
    </ul>`
}
