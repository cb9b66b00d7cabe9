import { tools } from '../tools/index.ts'
import { access, parseHost, mcpPath, specificationPath, type About } from './about.ts'

const mediaType = {
  openapi: 'application/vnd.oai.openapi+json;version=3.1',
  card: 'application/mcp-server-card+json',
  markdown: 'text/markdown',
}

/** Returns `/.well-known/ard.json` and `/.well-known/ai-catalog.json`: the resources for agents, with example queries. */
export function resourceDocument({ serviceName, siteUrl, baseUrl, contact }: About): object {
  const host = parseHost(siteUrl)
  const identifier = (namespace: string, name: string): string => `urn:air:${host}:${namespace}:${name}`
  const capabilities = Object.keys(tools)
  return {
    specVersion: '1.0',
    host: { displayName: serviceName, identifier: siteUrl, documentationUrl: `${siteUrl}/agents`, contact },
    entries: [
      {
        identifier: identifier('api', 'website-tools'),
        displayName: `${serviceName} website tools`,
        type: mediaType.openapi,
        url: siteUrl + specificationPath,
        description: `Search and read the public site, and three calculators. ${access}`,
        representativeQueries: [
          `What does ${serviceName} do when a stream is cut off?`,
          'What would automating this task save a month?',
          'Is our reporting ready to be automated?',
        ],
        capabilities,
      },
      {
        identifier: identifier('mcp', 'website-tools'),
        displayName: `${serviceName} website tools over MCP`,
        type: mediaType.card,
        url: `${siteUrl}${mcpPath}/server-card`,
        description: `The same five tools for MCP clients. ${access}`,
        representativeQueries: [
          `Find the guide to scheduled tasks of ${serviceName}`,
          'Arrange my notes into a project brief',
        ],
        capabilities,
      },
      {
        identifier: identifier('api', 'platform'),
        displayName: `${serviceName} platform API`,
        type: mediaType.openapi,
        url: `${baseUrl}/openapi.json`,
        description: 'Agent chats, sandboxes, catalogs, valuations and scheduled tasks. Needs an account and a key.',
        representativeQueries: [
          'Start an agent that checks our streaming numbers every Monday',
          'What is this catalog worth?',
        ],
      },
      {
        identifier: identifier('docs', 'agent-guide'),
        displayName: 'Guide for agents',
        type: mediaType.markdown,
        url: `${siteUrl}/agents.md`,
        description: `How a program searches, reads and calls the tools. ${access}`,
        representativeQueries: ['How do I read a long page in parts?', 'Which limits do the tools have?'],
      },
    ],
  }
}
