import { LogLevel, WebClient, type ChatPostMessageResponse } from '@slack/web-api'
import { remainingMs, runUntilDeadline, type ProviderCall } from '../../call.ts'
import { ProviderError } from '../../fault.ts'
import { parseEvent } from '../events.ts'
import type { TeamChatPort } from '../index.ts'
import { verifySignature } from '../signature.ts'
import { toFault } from './faults.ts'

export type SlackOptions = {
  signingSecret: string
  token: string
  /** Ends in a slash. */
  apiUrl: string
}

/** Name of the mark that a message carries: the platform has no keys of its own. */
const markType = 'backline_post'
const pageSize = 200
const maxPages = 5

/** A Slack workspace through its bot. */
export function createSlackChat({ signingSecret, token, apiUrl }: SlackOptions): TeamChatPort {
  const call = async <T>(
    given: ProviderCall,
    work: (client: WebClient, signal: AbortSignal) => Promise<T>,
  ): Promise<T> =>
    runUntilDeadline(given, async (signal) => {
      const client = new WebClient(token, {
        slackApiUrl: apiUrl,
        allowAbsoluteUrls: false,
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
        timeout: Math.max(1, remainingMs(given, Date.now())),
        logLevel: LogLevel.ERROR,
        logger: silent,
      })
      try {
        return await work(client, signal)
      } catch (error) {
        throw toFault(error)
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
        const place = await client.files.getUploadURLExternal({ filename: file.name, length: bytes.byteLength })
        await upload(place.upload_url ?? '', bytes, { apiUrl, signal })
        // The only one of these calls with a visible effect.
        await client.files.completeUploadExternal({
          files: [{ id: place.file_id ?? '', title: file.name }],
          channel_id: channel,
          thread_ts: ts,
          initial_comment: escape(file.caption),
        })
        return { messageId: place.file_id ?? '' }
      }),
    findPost: (threadId, { key, fileName }, given) =>
      call(given, async (client) => {
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
  if (!channel || !ts) throw new ProviderError('invalid', 'slack: not a thread')
  return { channel, ts }
}

/** So that nothing in a text is a mention, a link or a command. */
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
    throw new ProviderError('unavailable', 'slack: an upload that is not encrypted')
  const headers = { 'content-type': 'application/octet-stream' }
  const answer = await fetch(url, { method: 'POST', headers, body: bytes as Uint8Array<ArrayBuffer>, signal })
  await answer.body?.cancel()
  if (!answer.ok) throw new ProviderError(answer.status >= 500 ? 'unavailable' : 'invalid', `slack: ${answer.status}`)
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
