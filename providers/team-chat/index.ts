import type { ProviderCall } from '../call.ts'

/**
 * An event of the platform. `threadId`: workspace, channel and first message, joined by colons. `eventId`: workspace,
 * channel and the message that mentions the agent.
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
  /** Reads the file, for a platform that requires its bytes. */
  read: () => Promise<Uint8Array>
}

type PostOptions = ProviderCall & {
  /** Idempotency key of the post. */
  key: string
}

/** Team chat in which users mention the agent and it replies. Texts are plain, without mentions. Throws `ProviderError`. */
export type TeamChatPort = {
  /** Verifies a request from its headers, in lower case, and its raw body. Throws `invalid` without a valid signature. */
  verifyRequest(headers: Headers, rawBody: Buffer): void
  /** Parses an event. Throws `invalid` for a malformed body. */
  parseEvent(rawBody: Buffer): ChatEvent
  /** Posts a message. Throws `not_found`, `rate_limited`, `unavailable` or `timeout`. */
  postMessage(threadId: string, text: string, options: PostOptions): Promise<{ messageId: string }>
  /** Like `postMessage`. Throws `invalid` for a file that the platform does not accept. */
  postFile(threadId: string, file: ChatFile, options: PostOptions): Promise<{ messageId: string }>
  /**
   * Finds the post of an earlier attempt by its marker. Absent if the platform supports idempotency keys, so that a
   * retry sends no second post.
   */
  findPost?(
    threadId: string,
    post: { key: string; fileName?: string | undefined },
    call: ProviderCall,
  ): Promise<{ messageId: string } | undefined>
}
