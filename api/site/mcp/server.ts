import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { mcpIdentity, mcpInstructions } from '../../../domain/site/discovery/server-card.ts'
import { listMcpTools } from '../../../domain/site/discovery/tool-list.ts'
import { SiteError, unavailable } from '../../../domain/site/errors.ts'
import type { PublicContent } from '../../../domain/site/public-content.ts'
import { runTool, readToolName } from '../../../domain/site/tools/index.ts'
import { typedArguments } from '../../../domain/site/tools/typed-arguments.ts'
import { recordResult, type SiteRecord } from '../../monitoring/site-record.ts'

const tools = listMcpTools()
const cacheHints = {
  'tools/list': { ttlMs: 3_600_000, cacheScope: 'public' as const },
  'server/discover': { ttlMs: 3_600_000, cacheScope: 'public' as const },
}

export type McpServerOptions = {
  content: PublicContent
  /** Receives unexpected errors, which responses do not contain. */
  onError: (error: unknown) => void
}

/** Creates a stateless server with the tools for one request. `record`: receives the tool and the result for the log. */
export function createMcpServer({ content, onError }: McpServerOptions, record: SiteRecord | undefined): Server {
  const server = new Server(mcpIdentity, {
    capabilities: { tools: { listChanged: false } },
    instructions: mcpInstructions,
    cacheHints,
  })
  server.setRequestHandler('tools/list', () => ({ tools }))
  server.setRequestHandler('tools/call', ({ params: { name, arguments: input = {} } }) => {
    const tool = readToolName({ name })
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Choose one of the five tool names.')
    if (record !== undefined) record.tool = tool
    try {
      const schema = tools.find(({ name }) => name === tool)?.inputSchema ?? {}
      const result = runTool(content, { name, arguments: typedArguments(schema, input) })
      recordResult(record, result)
      return { content: [toTextContent(result)], structuredContent: { ...result } }
    } catch (error) {
      if (!(error instanceof SiteError)) onError(error)
      const { code, body } = error instanceof SiteError ? error : unavailable()
      if (record !== undefined) record.code = code
      return { isError: true, content: [toTextContent(body)] }
    }
  })
  return server
}

function toTextContent(value: object) {
  return { type: 'text' as const, text: JSON.stringify(value) }
}
