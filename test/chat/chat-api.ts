import { randomUUID } from 'node:crypto'
import { createSession, giveSandbox, giveWorkspace } from '../world/sessions/session-rows.ts'
import { readTranscript, type Transcript } from '../world/transcript.ts'
import { eventually, type TestAccount, type World } from '../world/world.ts'

/** A chat whose session has a running sandbox. */
export type OpenChat = { account: TestAccount; sessionId: string; chatId: string }

export type SendOptions = {
  messages?: object[]
  headers?: Record<string, string>
  context?: object
  /** Additional members of the body. */
  members?: object
}

/** Returns the text that the directive `@words <count>` produces. */
export const repeatedWords = (count: number): string =>
  Array.from({ length: count }, (_, at) => `word-${at + 1}`).join(' ')

export const userMessage = (content: string): { id: string; role: 'user'; content: string } => ({
  id: randomUUID(),
  role: 'user',
  content,
})

/** Requests of a chat client. */
export const createChatApi = (world: World) => {
  const openChat = async (account?: TestAccount): Promise<OpenChat> => {
    const owner = account ?? (await world.makeAccount())
    const created = await world.fetch('POST', '/api/sessions', { key: owner.key, body: {} })
    if (!created.ok) throw new Error(`no session: ${created.status} ${await created.text()}`)
    const { session, chat } = (await created.json()) as { session: { id: string }; chat: { id: string } }
    const ready = await world.fetch('POST', '/api/sandbox', { key: owner.key, body: { sessionId: session.id } })
    if (ready.status !== 200) throw new Error(`no sandbox: ${ready.status} ${await ready.text()}`)
    await ready.body?.cancel()
    return { account: owner, sessionId: session.id, chatId: chat.id }
  }

  /** Opens a chat that cannot run commands, because its workspace and sandbox exist only as rows. Faster than `openChat`. */
  const openChatWithoutCommands = async (account?: TestAccount): Promise<OpenChat> => {
    const owner = account ?? (await world.makeAccount())
    await giveWorkspace(world.db, owner.id)
    const { session, chat } = await createSession(world, owner)
    await giveSandbox(world.db, session.id)
    return { account: owner, sessionId: session.id, chatId: chat.id }
  }

  /** Opens another chat in the same session and sandbox. */
  const openChatIn = async ({ account, sessionId }: OpenChat): Promise<OpenChat> => {
    const created = await world.fetch('POST', `/api/sessions/${sessionId}/chats`, { key: account.key, body: {} })
    const { chat } = (await created.json()) as { chat: { id: string } }
    return { account, sessionId, chatId: chat.id }
  }

  const post = (chat: OpenChat, content: string, options: SendOptions = {}): Promise<Response> =>
    world.fetch('POST', '/api/chat', {
      key: chat.account.key,
      headers: options.headers,
      body: {
        chatId: chat.chatId,
        sessionId: chat.sessionId,
        messages: options.messages ?? [userMessage(content)],
        context: options.context,
        ...options.members,
      },
    })

  const send = async (chat: OpenChat, content: string, options: SendOptions = {}): Promise<Transcript> =>
    readTranscript(await accepted(await post(chat, content, options)))

  const resume = (chat: OpenChat, lastIndex?: number): Promise<Response> =>
    world.fetch('GET', `/api/chat/${chat.chatId}/stream`, {
      key: chat.account.key,
      headers: lastIndex === undefined ? {} : { 'last-event-id': String(lastIndex) },
    })

  const stop = (chat: OpenChat): Promise<Response> =>
    world.fetch('POST', `/api/chat/${chat.chatId}/stop`, { key: chat.account.key })

  const load = async (chat: OpenChat) => {
    const response = await world.fetch('GET', `/api/sessions/${chat.sessionId}/chats/${chat.chatId}`, {
      key: chat.account.key,
    })
    return (await response.json()) as {
      chat: { title: string; activeStreamId: string | null; lastAssistantMessageAt: string | null }
      isStreaming: boolean
      resumeIndex: number | null
      messages: { id: string; role: string; parts: Record<string, unknown>[]; metadata?: Record<string, unknown> }[]
    }
  }

  const runStatus = async (account: TestAccount, runId: string): Promise<string> => {
    const response = await world.fetch('GET', `/api/chat/runs/${runId}`, { key: account.key })
    return ((await response.json()) as { status: string }).status
  }

  return { openChat, openChatWithoutCommands, openChatIn, post, send, resume, stop, load, runStatus }
}

const accepted = async (response: Response): Promise<Response> => {
  if (response.status !== 200) throw new Error(`rejected: ${response.status} ${await response.text()}`)
  return response
}

/** Repeats the query until its result is accepted. Throws after `timeoutMs`. */
export const until = async <T>(
  query: () => Promise<T>,
  isAccepted: (result: T) => boolean,
  timeoutMs = 60_000,
): Promise<T> => {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const result = await query()
    if (isAccepted(result)) return result
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(result)} after ${timeoutMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Waits until the query returns exactly one row. `what` describes the row in the error. */
export const untilFound = (what: string, query: () => Promise<readonly unknown[]>): Promise<true> =>
  eventually(what, async () => (await query()).length === 1 || undefined)
