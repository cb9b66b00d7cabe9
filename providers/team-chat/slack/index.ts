import { LogLevel, WebClient, type ChatPostMessageResponse } from '@slack/web-api'
import { remainingMs, runUntilDeadline, type ProviderCall } from '../../call.ts'
import { ProviderError } from '../../provider-error.ts'
import { parseEvent } from '../events.ts'
import type { TeamChatPort } from '../index.ts'
import { verifySignature } from '../signature.ts'
import { toProviderError } from './errors.ts'

export type SlackOptions = {
  signingSecret: string
  token: string
  /** URL of the Web API, with a trailing slash. */
  apiUrl: string
}

/** Metadata type of the mark on each message, because Slack has no idempotency keys. */
const markType = 'backline_post'
const pageSize = 200
const maxPages = 5

/** Creates the team chat of a Slack workspace, accessed by a bot. */
export function createSlackChat({ signingSecret, token, apiUrl }: SlackOptions): TeamChatPort {
  const call = async <T>(
    providerCall: ProviderCall,
    work: (client: WebClient, signal: AbortSignal) => Promise<T>,
  ): Promise<T> =>
    runUntilDeadline(providerCall, async (signal) => {
      const client = new WebClient(token, {
        slackApiUrl: apiUrl,
        allowAbsoluteUrls: false,
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
        timeout: Math.max(1, remainingMs(providerCall, Date.now())),
        logLevel: LogLevel.ERROR,
        logger: silent,
      })
      try {
        return await work(client, signal)
      } catch (error) {
        throw toProviderError(error)
      }
    })

  return {
    verifyRequest: (headers, rawBody) => verifySignature(signingSecret, { headers, rawBody }),
    parseEvent,
    postMessage: (threadId, text, options) =>
      call(options, async (client) => {
        const { channel, ts } = parseThreadId(threadId)
        const posted: ChatPostMessageResponse = await client.apiCall('chat.postMessage', {
          channel,
          thread_ts: ts,
          text: escape(text),
          link_names: false,
          unfurl_links: false,
          metadata: { event_type: markType, event_payload: { key: options.key } },
        })
        return { messageId: posted.ts ?? '' }
      }),
    postFile: (threadId, file, options) =>
      call(options, async (client, signal) => {
        const { channel, ts } = parseThreadId(threadId)
        const bytes = await file.read()
        const uploadTarget = await client.files.getUploadURLExternal({ filename: file.name, length: bytes.byteLength })
        await upload(uploadTarget.upload_url ?? '', bytes, { apiUrl, signal })
        // Only this call has a visible effect.
        await client.files.completeUploadExternal({
          files: [{ id: uploadTarget.file_id ?? '', title: file.name }],
          channel_id: channel,
          thread_ts: ts,
          initial_comment: escape(file.caption),
        })
        return { messageId: uploadTarget.file_id ?? '' }
      }),
    findPost: (threadId, { key, fileName }, providerCall) =>
      call(providerCall, async (client) => {
        const { channel, ts } = parseThreadId(threadId)
        let cursor: string | undefined
        for (let page = 0; page < maxPages; page++) {
          const { messages = [], response_metadata: more } = await client.conversations.replies({
            channel,
            ts,
            limit: pageSize,
            include_all_metadata: true,
            ...(cursor !== undefined && { cursor }),
          })
          for (const message of messages) {
            const mark = message.metadata?.event_payload as Record<string, unknown> | undefined
            const shared = fileName === undefined ? undefined : message.files?.find(({ name }) => name === fileName)
            if (shared !== undefined || mark?.['key'] === key) return { messageId: shared?.id ?? message.ts ?? '' }
          }
          cursor = more?.next_cursor || undefined
          if (cursor === undefined) return undefined
        }
        return undefined
      }),
  }
}

function parseThreadId(threadId: string): { channel: string; ts: string } {
  const [, channel, ts] = threadId.split(':')
  if (!channel || !ts) throw new ProviderError('invalid', 'slack: the thread id is not valid')
  return { channel, ts }
}

/** Escapes a text so that it contains no mentions, links or commands. */
function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Uploads to the URL from the platform, which must use HTTPS or have the origin of the API. */
async function upload(
  url: string,
  bytes: Uint8Array,
  { apiUrl, signal }: { apiUrl: string; signal: AbortSignal },
): Promise<void> {
  if (!url.startsWith('https://') && !url.startsWith(new URL(apiUrl).origin))
    throw new ProviderError('unavailable', 'slack: the upload URL does not use https')
  const headers = { 'content-type': 'application/octet-stream' }
  const response = await fetch(url, { method: 'POST', headers, body: bytes as Uint8Array<ArrayBuffer>, signal })
  await response.body?.cancel()
  if (!response.ok)
    throw new ProviderError(response.status >= 500 ? 'unavailable' : 'invalid', `slack: ${response.status}`)
}

const nothing = (): void => {}
const silent = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  getLevel: () => LogLevel.ERROR,
  setName: nothing,
}
