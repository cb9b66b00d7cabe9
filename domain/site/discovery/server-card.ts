import { parseHost, mcpPath, mcpRevisions, toolsVersion, type About } from './about.ts'

export const mcpIdentity = { name: 'website-tools', version: toolsVersion }
export const mcpInstructions =
  'Public and read-only. Search first, then read what was found by its id. Nothing needs an account, and nothing is sent or kept.'

/** Returns `/mcp/server-card`: the URL and protocol versions of the endpoint, without its tools. */
export function serverCard({ serviceName, siteUrl }: About): object {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${parseHost(siteUrl).split('.').toReversed().join('.')}/${mcpIdentity.name}`,
    version: toolsVersion,
    description: 'Searches and reads a public site, and calculates. Anonymous and read-only: no key, no account.',
    title: `${serviceName} website tools`.slice(0, 100),
    websiteUrl: `${siteUrl}/agents`,
    remotes: [{ type: 'streamable-http', url: siteUrl + mcpPath, supportedProtocolVersions: mcpRevisions }],
  }
}
