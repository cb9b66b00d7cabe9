import { AsyncLocalStorage } from 'node:async_hooks'
import { toNodeHandler, type NodeIncomingMessageLike, type NodeServerResponseLike } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { SiteRecord } from '../../monitoring/site-record.ts'
import { createMcpServer, type McpServerOptions } from './server.ts'

/** Handles one request. `record`: receives the tool and the result for the log. */
export type McpHandler = (
  record: SiteRecord,
  request: NodeIncomingMessageLike,
  response: NodeServerResponseLike,
) => Promise<void>

/** Creates the handler of MCP requests, which imports the SDK. */
export function createHandler({ content, onError }: McpServerOptions): McpHandler {
  const records = new AsyncLocalStorage<SiteRecord>()
  const handler = createMcpHandler(() => createMcpServer({ content, onError }, records.getStore()), {
    // The response mode is not set, because the handler warns about JSON-only responses. Responses are JSON nevertheless,
    // because no tool reports progress. The content does not change while a process runs, so there are no subscriptions.
    maxSubscriptions: 0,
    onerror: onError,
  })
  const serve = toNodeHandler(handler, { onerror: onError })
  return (record, request, response) => records.run(record, () => serve(request, response))
}
