import type { ProviderCall } from '../call.ts'

/**
 * An event of the platform. `threadId`: workspace, channel and first message, joined by colons; `eventId`: the same of the
 * message that mentions the agent.
 */
export type ChatEvent =
  | { kind: 'challenge'; challenge: string }
  | { kind: 'mention'; eventId: string; workspaceId: string; threadId: string; text: string; isBot: boolean }
  | { kind: 'other' }

type Headers = Readonly<Record<string, string | undefined>>

type ChatFile = {
  /** URL of the message for members of the channel. */
  url: string
  name: string
  caption: string
  /** Its bytes, for a platform that wants to have them. */
  read: () => Promise<Uint8Array>
}

type PostOptions = ProviderCall & {
  /** One per post: a platform that knows keys takes it once. */
  key: string
}

/** A team chat in which the agent is mentioned and replies. Texts are plain and mention no users. Throws `ProviderFault`. */
export type TeamChatPort = {
  /** Header names in lower case, the raw body. Throws `invalid` unless the platform has signed the request. */
  verifyRequest(headers: Headers, rawBody: Buffer): void
  /** Throws `invalid` for what no platform sends. */
  parseEvent(rawBody: Buffer): ChatEvent
  /** Faults: not_found, rate_limited, unavailable, timeout. */
  postMessage(threadId: string, text: string, options: PostOptions): Promise<{ messageId: string }>
  /** As `postMessage`; `invalid` for a file that the platform does not take. */
  postFile(threadId: string, file: ChatFile, options: PostOptions): Promise<{ messageId: string }>
  /**
   * The post that an earlier attempt may have made, by the mark that it carries. Absent where the platform knows keys:
   * then a repeat is one by itself.
   */
  findPost?(
    threadId: string,
    post: { key: string; fileName?: string | undefined },
    call: ProviderCall,
  ): Promise<{ messageId: string } | undefined>
}
