import { createHmac, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { eventually, type TestAccount, type World } from '../world/world.ts'
import { createContentApi, picture, song } from './content-api.ts'

export const signingSecret = 'the team chat signs with this'
const callbackSecret = 'the poll reports with this'
const workspace = 'T1'
/** Id of the account that the workspace is linked to. It is fixed, because settings contain it before a database exists. */
const linkedAccountId = '5b0d3c1e-7a4f-4c62-9d0a-1f6e2b8c4d01'

export const agentSettings = {
  TEAMCHAT_SIGNING_SECRET: signingSecret,
  CALLBACK_SECRET: callbackSecret,
  TEAMCHAT_ACCOUNTS: JSON.stringify({ [workspace]: linkedAccountId }),
}

type Sent = { headers?: Record<string, string>; platform?: string; baseUrl?: string | undefined }
type ResponseBody = {
  ok: boolean
  challenge?: string
  status: string
  skipped?: boolean
  missing_fields?: unknown[]
}
type StoredPost = { key: string; text: string; state: string; file: { url: string; name: string } | null }

const createEvent = (text: string, more: { thread?: string; team?: string; event?: object } = {}) => ({
  type: 'event_callback',
  team_id: more.team ?? workspace,
  event_id: `Ev-${randomUUID()}`,
  event: {
    type: 'app_mention',
    user: 'U2',
    text,
    channel: 'C1',
    ts: `17.${randomUUID()}`,
    ...(more.thread !== undefined && { thread_ts: more.thread }),
    ...more.event,
  },
})

/** Sends events of a team chat to the agent, and reads the rows that the agent stores. */
export const createAgentApi = (getWorld: () => World) => {
  const post = async (path: string, body: string, { headers, baseUrl = getWorld().baseUrl }: Sent) => {
    const response = await fetch(baseUrl + path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })
    const text = await response.text()
    return { status: response.status, text, body: (text === '' ? {} : JSON.parse(text)) as ResponseBody }
  }
  const send = (body: unknown, { platform = 'teamchat', ...sent }: Sent = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return post(`/api/content-agent/${platform}`, text, { headers: sign(text), ...sent })
  }
  const listPosts = (threadId: string): Promise<StoredPost[]> => getWorld().db<StoredPost[]>`
    select key, text, state, file from chat_posts where thread_id = ${threadId} order by place`
  const toThreadId = ({ team_id, event }: ReturnType<typeof createEvent>): string =>
    `${team_id}:${event.channel}:${event.thread_ts ?? event.ts}`
  const untilState = (threadId: string, states: readonly string[]) =>
    eventually(`a thread in state ${states.join(' or ')}`, async () => {
      const [row] = await getWorld().db<{ state: string; runIds: string[]; pollRunId: string }[]>`
        select state, to_json(run_ids) as run_ids, poll_run_id from content_threads where thread_id = ${threadId}`
      return row !== undefined && states.includes(row.state) ? row : undefined
    })
  return {
    send,
    createEvent,
    toThreadId,
    listPosts,
    untilState,
    /** Sends a mention. Returns the id of its thread. */
    mention: async (text: string, more: Parameters<typeof createEvent>[1] = {}, baseUrl?: string): Promise<string> => {
      const event = createEvent(text, more)
      const response = await send(event, { baseUrl })
      expect([response.status, response.body]).toEqual([200, { ok: true }])
      return toThreadId(event)
    },
    /** Waits until a thread has this many posts and none is pending. Returns the posts. */
    untilPosted: (threadId: string, count: number): Promise<StoredPost[]> =>
      eventually(`${count} posts`, async () => {
        const posts = await listPosts(threadId)
        return posts.length >= count && posts.every(({ state }) => state !== 'waiting') ? posts : undefined
      }),
    report: (body: unknown, secret: string | undefined = callbackSecret, baseUrl?: string) =>
      post('/api/content-agent/callback', JSON.stringify(body), { headers: { 'x-callback-secret': secret }, baseUrl }),
    /** Creates a running thread whose only run has a video. Returns the URL of the video. */
    openThread: async (threadId: string, runId: string): Promise<string> => {
      const { db, deps } = getWorld()
      await db`
        insert into content_threads
          (thread_id, account_id, state, artist_account_id, template, lipsync, batch, run_ids, poll_run_id)
        values (${threadId}, ${linkedAccountId}, 'running', ${linkedAccountId}, 't', false, 1, ${[runId]}, ${`poll-${runId}`})`
      const clip = [Buffer.from('....ftypisom a clip')][Symbol.iterator]()
      const content = { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve(clip.next()) }) }
      return (await deps.store.put(`content/${runId}.mp4`, content, { contentType: 'video/mp4', overwrite: true })).url
    },
    /** Creates the linked account with an artist, an image and a song. */
    makeLinked: async (): Promise<{ account: TestAccount; artistId: string }> => {
      const world = getWorld()
      const { db } = world
      const id = linkedAccountId
      await db`insert into accounts (id, kind) values (${id}, 'person')`
      await db`insert into credit_balances (account_id) values (${id})`
      const account = { id, key: await world.makeKey(id), email: '' }
      const { makeArtist, makeRepository } = createContentApi(getWorld)
      await makeRepository(account, { 'nova-quartet/a.png': picture(), 'nova-quartet/harbour.wav': song() })
      return { account, artistId: await makeArtist(account) }
    },
  }
}

export function sign(body: string, { at = Date.now(), secret = signingSecret } = {}): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000))
  const signature = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')
  return {
    'content-type': 'application/json',
    'x-teamchat-request-timestamp': timestamp,
    'x-teamchat-signature': `v0=${signature}`,
  }
}
