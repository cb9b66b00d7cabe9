import { expect } from 'vitest'
import { userMessage } from '../../chat/chat-api.ts'
import type { Person } from '../../world/people.ts'
import { listFrames, listTypes, readTranscript, type Transcript } from '../../world/transcript.ts'
import type { Cluster } from '../cluster/cluster.ts'

export type FleetChat = { sessionId: string; chatId: string }

type RequestOptions = { body?: object; headers?: Record<string, string>; url?: string | undefined }

/** Creates a client that sends requests of one person through the load balancer, or to one API by its `url`. */
export const createFleetApi = (cluster: Cluster, person: Person) => {
  const sendRequest = (method: string, path: string, options: RequestOptions = {}): Promise<Response> =>
    fetch(`${options.url ?? cluster.loadBalancerUrl}${path}`, {
      method,
      headers: { 'x-api-key': person.key, 'content-type': 'application/json', ...options.headers },
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    })

  const openChat = async (): Promise<FleetChat> => {
    const created = await sendRequest('POST', '/api/sessions', { body: {} })
    const { session, chat } = (await created.json()) as { session: { id: string }; chat: { id: string } }
    // The embedded model runs the commands in its prompts.
    await cluster.db`update chats set model_id = 'local/assistant' where id = ${chat.id}`
    const ready = await sendRequest('POST', '/api/sandbox', { body: { sessionId: session.id } })
    expect(ready.status, await ready.text()).toBe(200)
    return { sessionId: session.id, chatId: chat.id }
  }

  const send = async ({ sessionId, chatId }: FleetChat, text: string, url?: string): Promise<Response> => {
    const response = await sendRequest('POST', '/api/chat', {
      body: { sessionId, chatId, messages: [userMessage(text)] },
      url,
    })
    expect(response.status).toBe(200)
    return response
  }

  const resume = (chat: FleetChat, { frames }: Transcript, url?: string): Promise<Response> => {
    const headers = { 'last-event-id': String(frames.at(-1)?.index ?? -1) }
    return sendRequest('GET', `/api/chat/${chat.chatId}/stream`, { headers, url })
  }

  /** Reads the rest of a stream, and resumes it through the load balancer after each lost connection. */
  const readRest = async (chat: FleetChat, beginning: Transcript): Promise<Transcript> => {
    let whole = beginning
    while (!whole.done) {
      const next = await readTranscript(await resume(chat, whole))
      whole = { ...next, frames: [...whole.frames, ...next.frames] }
    }
    return whole
  }

  /** Runs a command in a turn. Returns its output. */
  const run = async (chat: FleetChat, command: string): Promise<string> => {
    const transcript = await readRest(chat, await readTranscript(await send(chat, `$ ${command}`)))
    expectComplete(transcript)
    return readOutput(transcript)
  }

  return { sendRequest, openChat, send, resume, readRest, run }
}

export const expectComplete = (transcript: Transcript): void => {
  expect(transcript.done).toBe(true)
  expect(listTypes(transcript).at(-1)).toBe('finish')
  expect(transcript.frames.map(({ index }) => index)).toEqual(transcript.frames.map((_, position) => position))
}

/** Returns the output of the first command of a turn. */
const readOutput = (transcript: Transcript): string => {
  const frame = listFrames(transcript).find(({ type }) => type === 'tool-output-available')
  return (frame?.['output'] as { stdout?: string } | undefined)?.stdout ?? `no output: ${JSON.stringify(frame)}`
}
