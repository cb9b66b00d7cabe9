import { access, mcpPath, mcpRevisions, specificationPath, type About } from './about.ts'
import { listTools } from './tool-list.ts'

/** Returns `/agents/catalog.json`: content, tools and interfaces in one document. */
export function agentCatalog({ entries, serviceName, siteUrl, baseUrl, contact }: About): object {
  return {
    name: serviceName,
    version: '1.0',
    description: `What ${serviceName} publishes for programs that read. ${access}`,
    documentation: `${siteUrl}/agents`,
    openapi: siteUrl + specificationPath,
    content: entries.map(({ header }) => header),
    tools: listTools(),
    interfaces: {
      http: { url: `${siteUrl}/agent-api/v1`, openapi: siteUrl + specificationPath },
      mcp: { url: siteUrl + mcpPath, transport: 'streamable-http', protocolVersions: mcpRevisions },
      webmcp: { url: `${siteUrl}/tools`, registration: 'document.modelContext' },
    },
    platform: { baseUrl, documentation: `${siteUrl}/docs/quickstart`, apiKeyHeader: 'x-api-key' },
    contact,
  }
}

/** Returns `/.well-known/api-catalog`, a linkset according to RFC 9727. */
export function apiCatalog({ siteUrl, baseUrl }: About): object {
  const legalLinks = {
    'terms-of-service': [{ href: `${siteUrl}/terms`, type: 'text/html' }],
    'privacy-policy': [{ href: `${siteUrl}/privacy`, type: 'text/html' }],
  }
  return {
    linkset: [
      {
        anchor: `${siteUrl}/agent-api/v1`,
        'service-desc': [{ href: siteUrl + specificationPath, type: 'application/json', title: 'Anonymous tools' }],
        'service-doc': [{ href: `${siteUrl}/agents`, type: 'text/html' }],
        ...legalLinks,
      },
      {
        anchor: `${baseUrl}/api`,
        'service-desc': [{ href: `${baseUrl}/openapi.json`, type: 'application/json', title: 'Platform API, by key' }],
        'service-doc': [{ href: `${siteUrl}/docs/api-reference`, type: 'text/html' }],
        ...legalLinks,
      },
    ],
  }
}
