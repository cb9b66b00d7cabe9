import { z } from 'zod'
import { parseUrl } from '../../domain/fields/url.ts'
import { relativePath } from '../../domain/runs/paths.ts'
import { EgressError } from '../../providers/egress/index.ts'
import { defineTool, type WorkerContext } from './define.ts'

const timeoutMs = 30_000
const maxBodyBytes = 10_000
/** Headers of the agent that are dropped when the credentials of the run are added. */
const credentialHeaders = new Set(['authorization', 'x-api-key'])

const input = z.object({
  url: z.string().min(1).max(8192).describe('http or https address'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.string().optional().describe('Sent with every method except GET'),
})

type Input = z.output<typeof input>

/** Requests pass through the egress guard of the worker, which allows public addresses and the platform. */
export const fetch = defineTool({
  name: 'fetch',
  description:
    'Makes an HTTP request to a public address or to the platform, for at most 30 seconds. The response body is cut to 10000 bytes.',
  input,
  offeredTo: ({ isSubAgent }) => !isSubAgent,
  runsIn: 'worker',
  mayRepeat: ({ method }) => method === 'GET',
  run: async (input, ctx) => {
    const { url, method } = input
    try {
      const { status, headers, body, truncated } = await ctx.egress.send({
        url,
        method,
        headers: await buildHeaders(input, ctx),
        ...(method !== 'GET' && input.body !== undefined && { body: input.body }),
        timeoutMs,
        maxBytes: maxBodyBytes,
        maxRedirects: 5,
        signal: ctx.signal,
      })
      const text = decode(body, parseCharset(headers['content-type']), truncated)
      return { success: true, status, body: text, truncated }
    } catch (error) {
      if (error instanceof EgressError) return { success: false, error: error.message }
      throw error
    }
  },
})

async function buildHeaders(input: Input, ctx: WorkerContext): Promise<Record<string, string>> {
  const agentHeaders = Object.fromEntries(
    Object.entries(input.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const url = parseUrl(input.url)
  if (url === undefined || relativePath(url, ctx.baseUrl) === undefined) return agentHeaders
  const runHeaders = ctx.platformHeaders === undefined ? {} : await ctx.platformHeaders(url.pathname)
  if (runHeaders === undefined) throw new EgressError('closed')
  const forwardedHeaders = Object.entries(agentHeaders).filter(
    ([name]) => Object.keys(runHeaders).length === 0 || !credentialHeaders.has(name),
  )
  return { 'idempotency-key': `${ctx.runId}:${ctx.toolCallId}`, ...Object.fromEntries(forwardedHeaders), ...runHeaders }
}

/** Decodes the body. Drops a character that the size limit has split. */
function decode(body: Uint8Array, charset: string, isCut: boolean): string {
  try {
    return new TextDecoder(charset).decode(body, { stream: isCut })
  } catch {
    return new TextDecoder().decode(body, { stream: isCut })
  }
}

function parseCharset(contentType: string | string[] | undefined): string {
  return /;\s*charset="?([\w:.-]+)"?/i.exec([contentType ?? ''].flat()[0] ?? '')?.[1] ?? 'utf-8'
}
