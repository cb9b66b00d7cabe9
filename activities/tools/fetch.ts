import { pathBelow } from '../../domain/runs/paths.ts'
import type { FetchInput } from '../../domain/tools/tools.ts'
import { EgressFailure, type EgressPort } from '../../providers/egress/index.ts'
import { parseUrl } from '../../domain/fields/url.ts'

export type FetchContext = {
  signal: AbortSignal
  runId: string
  toolCallId: string
  egress: EgressPort
  /** Public URL of the platform. */
  baseUrl: string
  /**
   * Headers that authenticate the run at this path of the platform; undefined where it has no access. They are sent to
   * no other origin.
   */
  platformHeaders?: ((path: string) => Promise<Record<string, string> | undefined>) | undefined
}

const timeoutMs = 30_000
const bodyBytes = 10_000
/** Headers of the agent that are replaced where the run's credential is added. */
const credentials = new Set(['authorization', 'x-api-key'])

/** Runs in the worker through the egress guard, never inside the sandbox. */
export async function fetchUrl(input: FetchInput, ctx: FetchContext): Promise<object> {
  const { url, method } = input
  try {
    const { status, headers, body, truncated } = await ctx.egress.send({
      url,
      method,
      headers: await buildHeaders(input, ctx),
      ...(method !== 'GET' && input.body !== undefined && { body: input.body }),
      timeoutMs,
      maxBytes: bodyBytes,
      maxRedirects: 5,
      signal: ctx.signal,
    })
    const text = decode(body, parseCharset(headers['content-type']), truncated)
    return { success: true, status, body: text, truncated }
  } catch (error) {
    if (error instanceof EgressFailure) return { success: false, error: error.message }
    throw error
  }
}

async function buildHeaders(input: FetchInput, ctx: FetchContext): Promise<Record<string, string>> {
  const given = Object.fromEntries(
    Object.entries(input.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const url = parseUrl(input.url)
  if (url === undefined || pathBelow(url, ctx.baseUrl) === undefined) return given
  const added = ctx.platformHeaders === undefined ? {} : await ctx.platformHeaders(url.pathname)
  if (added === undefined) throw new EgressFailure('closed')
  const kept = Object.entries(given).filter(([name]) => Object.keys(added).length === 0 || !credentials.has(name))
  return { 'idempotency-key': `${ctx.runId}:${ctx.toolCallId}`, ...Object.fromEntries(kept), ...added }
}

/** Decodes the body. A character that the cut split is dropped. */
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
