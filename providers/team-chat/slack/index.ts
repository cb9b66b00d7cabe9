import { LogLevel, WebClient, type ChatPostMessageResponse } from '@slack/web-api'
import { remainingMs, runUntilDeadline, type ProviderCall } from '../../call.ts'
import { ProviderError } from '../../errors/provider-error.ts'
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

/** Type of the metadata that contains the idempotency key of each message, because Slack has no idempotency keys. */
const metadataType = 'backline_post'
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
        logger: silentLogger,
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
        const postResponse: ChatPostMessageResponse = await client.apiCall('chat.postMessage', {
          channel,
          thread_ts: ts,
          text: escape(text),
          link_names: false,
          unfurl_links: false,
          metadata: { event_type: metadataType, event_payload: { key: options.key } },
        })
        return { messageId: postResponse.ts ?? '' }
      }),
    postFile: (threadId, file, options) =>
      call(options, async (client, signal) => {
        const { channel, ts } = parseThreadId(threadId)
        const bytes = await file.read()
        const uploadTarget = await client.files.getUploadURLExternal({ filename: file.name, length: bytes.byteLength })
        await upload(uploadTarget.upload_url ?? '', bytes, { apiUrl, signal })
        // Members see the file only after this call.
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
          const { messages = [], response_metadata: pageInfo } = await client.conversations.replies({
            channel,
            ts,
            limit: pageSize,
            include_all_metadata: true,
            ...(cursor !== undefined && { cursor }),
          })
          for (const message of messages) {
            const payload = message.metadata?.event_payload as Record<string, unknown> | undefined
            const file = fileName === undefined ? undefined : message.files?.find(({ name }) => name === fileName)
            if (file !== undefined || payload?.['key'] === key) return { messageId: file?.id ?? message.ts ?? '' }
          }
          cursor = pageInfo?.next_cursor || undefined
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

/** Escapes a text, so that Slack renders no mentions, links or commands from it. */
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

const ignoreLog = (): void => {}
const silentLogger = {
  debug: ignoreLog,
  info: ignoreLog,
  warn: ignoreLog,
  error: ignoreLog,
  setLevel: ignoreLog,
  getLevel: () => LogLevel.ERROR,
  setName: ignoreLog,
}
