import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../config.ts'
import { teamChatToken } from '../../providers/team-chat/embedded.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'
import { createAgentApi, agentSettings, sign } from './agent-api.ts'
import { createContentApi, smallClips } from './content-api.ts'

let world: World
let account: TestAccount
let artistId: string
beforeAll(async () => {
  world = await createWorld({ settings: { ...smallClips, ...agentSettings } })
  ;({ account, artistId } = await makeLinked())
})
afterAll(() => world.close())

const { createEvent, makeLinked, mention, listPosts, report, send, toThreadId, untilPosted, untilState } =
  createAgentApi(() => world)
const { cancel, makeArtist, readRun, untilEnded } = createContentApi(() => world)

const count = async (threadId: string) => {
  const [row] = await world.db<{ messages: number }[]>`
    select count(*)::int as messages from embedded_chat_messages where thread_id = ${threadId}`
  return row?.messages
}

describe('a mention', () => {
  test('posts each video to its thread once, and the thread then accepts another mention', async () => {
    const event = createEvent(`<@U1> ${artistId} artist-caption-stage batch=2 lipsync`)
    // A repeated event, and another event for the edited message.
    const edited = { ...event, event_id: 'Ev-edited', event: { ...event.event, text: `${artistId} batch=3` } }
    for (const received of [event, event, edited]) expect((await send(received)).body).toEqual({ ok: true })
    expect(await world.db`select 1 from chat_platform_events where thread_id = ${toThreadId(event)}`).toHaveLength(1)
    const threadId = toThreadId(event)
    const { runIds, pollRunId } = await untilState(threadId, ['running'])
    expect((await untilPosted(threadId, 1))[0]?.text).toContain(
      'Creating 2 videos for Nova Quartet (artist-caption-stage',
    )
    await mention('and now?', { thread: event.event.ts })
    await untilState(threadId, ['completed'])
    const posts = await untilPosted(threadId, 4)
    expect(posts.map(({ text }) => text.split('\n')[0])).toEqual([
      expect.stringContaining('5 to 10 minutes'),
      expect.stringContaining('still working'),
      'Video 1 of 2',
      'Video 2 of 2',
    ])
    expect(posts.slice(2).map(({ key, file }) => [key, file?.url])).toEqual(
      runIds.map((id) => [id, `${world.config.baseUrl}/media/content/${id}.mp4`]),
    )
    expect(await count(threadId)).toBe(4)
    expect(await readRun(account, pollRunId)).toMatchObject({
      status: 'COMPLETED',
      taskIdentifier: 'poll-content-runs',
      output: { status: 'completed', results: runIds.map((runId) => ({ runId, status: 'completed' })) },
    })
    expect((await readRun(account, runIds[0] ?? '')).output).toMatchObject({ lipsync: true })
    // A repeated report has no effect.
    expect((await report({ threadId, status: 'completed', results: [] })).body).toEqual({ status: 'ok', skipped: true })
    expect(await count(threadId)).toBe(4)
    await mention(`${artistId} no-such-look`, { thread: event.event.ts })
    expect((await untilPosted(threadId, 5)).at(-1)?.text).toContain('I do not know the template no-such-look.')
  })

  test.each([
    ['hello <@U1>', 'Mention me with the id of an artist'],
    ['7c1f0a52-6f0e-4e0f-8b57-2a2b54d1c7aa batch=2', 'I do not know this artist'],
  ])('of %j receives an error reply', async (text, reply) => {
    expect((await untilPosted(await mention(text), 1)).map((post) => post.text)).toEqual([
      expect.stringContaining(reply),
    ])
  })

  test("that names another account's artist, or in a workspace that is not linked, starts nothing", async () => {
    const foreign = await makeArtist(await world.makeAccount())
    expect((await untilPosted(await mention(foreign), 1))[0]?.text).toContain('I do not know this artist')
    const unlinked = await mention(artistId, { team: 'T2' })
    expect((await untilPosted(unlinked, 1))[0]?.text).toContain('not linked')
  })

  test('whose polling run is lost still posts its videos once they are rendered', async () => {
    const threadId = await mention(`${artistId} batch=1`)
    const { runIds, pollRunId } = await untilState(threadId, ['running'])
    await eventually('the poll', async () =>
      (await world.engine.readState(pollRunId)) === 'running' ? true : undefined,
    )
    await world.db`
      update background_runs set status = 'SYSTEM_FAILURE', finished_at = now() where id = ${pollRunId}`
    // The poll restarts after its row has ended, and reports nothing.
    await world.engine.restart(pollRunId, 1)
    await untilState(threadId, ['completed'])
    const videos = (await untilPosted(threadId, 2)).slice(1)
    expect(videos.map(({ key, file }) => [key, file?.url])).toEqual([
      [runIds[0], `${world.config.baseUrl}/media/content/${runIds[0]}.mp4`],
    ])
  })

  test('whose videos are cancelled posts an error text', async () => {
    const threadId = await mention(`${artistId} batch=99`)
    const { runIds } = await untilState(threadId, ['running'])
    expect(runIds).toHaveLength(1)
    await cancel(account, runIds[0] ?? '')
    await untilEnded(account, runIds[0] ?? '')
    await untilState(threadId, ['failed', 'completed'])
    expect((await untilPosted(threadId, 2)).at(-1)?.text).toBe(
      'The videos could not be created. The run was cancelled.',
    )
  })
})

describe('the webhook', () => {
  test('echoes a challenge, and ignores bots and other events', async () => {
    expect((await send({ type: 'url_verification', challenge: 'abc' })).body).toEqual({ ok: true, challenge: 'abc' })
    const bot = createEvent(artistId, { event: { bot_id: 'B1' } })
    const other = { ...createEvent(artistId), event: { type: 'reaction_added' } }
    for (const event of [bot, other]) expect((await send(event)).body).toEqual({ ok: true })
    expect(await world.db`select 1 from chat_platform_events where thread_id = ${toThreadId(bot)}`).toEqual([])
  })

  test.each([
    ['no signature', () => ({})],
    ['another secret', (body: string) => sign(body, { secret: 'another secret, which is long enough' })],
    ['another body', () => sign('{}')],
    ['an old timestamp', (body: string) => sign(body, { at: Date.now() - 6 * 60_000 })],
    ['a future timestamp', (body: string) => sign(body, { at: Date.now() + 6 * 60_000 })],
  ])('rejects %s, even for a challenge', async (_, headersOf) => {
    const body = JSON.stringify({ type: 'url_verification', challenge: 'abc' })
    expect((await send(body, { headers: headersOf(body) })).status).toBe(401)
  })

  test.each([
    ['not JSON', '{"a'],
    ['no object', '[]'],
    ['no challenge', JSON.stringify({ type: 'url_verification' })],
    ['a challenge that is too long', JSON.stringify({ type: 'url_verification', challenge: 'x'.repeat(513) })],
  ])('rejects %s', async (_, body) => {
    expect((await send(body)).status).toBe(400)
  })

  test('accepts only the configured platform and bodies of up to one mebibyte', async () => {
    const unknown = await send({}, { platform: 'slack' })
    expect([unknown.status, unknown.text]).toEqual([404, ''])
    expect((await send(`"${'x'.repeat(1024 * 1024)}"`)).status).toBe(413)
  })
})

/** Creates a thread whose poll does not exist, so that only a report ends it. */
const openThread = async (name: string, runIds: string[]): Promise<string> => {
  const threadId = `T1:C1:${name}`
  await world.db`
    insert into content_threads
      (thread_id, account_id, state, artist_account_id, template, lipsync, batch, run_ids, poll_run_id)
    values (${threadId}, ${account.id}, 'running', ${artistId}, 't', false, ${runIds.length}, ${runIds}, ${name})`
  return threadId
}

describe('the callback', () => {
  test('returns 401 without a body unless the secret is correct', async () => {
    for (const secret of ['wrong', '']) {
      const response = await report({ threadId: 'a:b:c', status: 'failed' }, secret)
      expect([response.status, response.text]).toEqual([401, ''])
    }
    expect((await world.request('POST', '/api/content-agent/callback', { body: {} })).status).toBe(401)
  })

  test.each([
    [{ status: 'failed' }, ['threadId']],
    [{ threadId: 'a:b', status: 'failed' }, ['threadId']],
    [{ threadId: 'a::c', status: 'failed' }, ['threadId']],
    [{ threadId: 'a:b:c', status: 'done' }, ['status']],
    [{ threadId: 'a:b:c', status: 'failed', results: [{ status: 'failed' }] }, ['results', 0, 'runId']],
    [
      {
        threadId: 'a:b:c',
        status: 'failed',
        results: Array.from({ length: 31 }, () => ({ runId: 'r', status: 'failed' })),
      },
      ['results'],
    ],
  ])('rejects %j', async (body, fields) => {
    const response = await report(body)
    expect([response.status, response.body.missing_fields]).toEqual([400, fields])
  })

  test('posts only videos of its thread at allowed URLs, and states how many videos are missing', async () => {
    const threadId = await openThread('mixed', ['a', 'b', 'c'])
    const results = [
      { runId: 'a', status: 'completed', videoUrl: 'https://example.com/a.mp4', captionText: '<!channel> look' },
      { runId: 'b', status: 'completed', videoUrl: 'http://10.0.0.1/b.mp4' },
      { runId: 'c', status: 'failed', error: 'out of memory' },
      { runId: 'stranger', status: 'completed', videoUrl: 'https://example.com/s.mp4' },
    ]
    const responses = await Promise.all([1, 2, 3].map(() => report({ threadId, status: 'completed', results })))
    expect(responses.filter(({ body }) => body.skipped === undefined)).toHaveLength(1)
    const posts = await untilPosted(threadId, 2)
    expect(posts.map(({ text, file }) => [text, file?.url])).toEqual([
      ['<!channel> look', 'https://example.com/a.mp4'],
      ['2 videos could not be created.', undefined],
    ])
    await untilState(threadId, ['completed'])
  })

  test.each([
    ['failed', { message: 'The song is gone.' }, 'The song is gone.'],
    ['failed', {}, 'The videos could not be created.'],
    ['timeout', {}, 'The videos were not finished within 30 minutes, so I stopped waiting for them.'],
    [
      'completed',
      { results: [{ runId: 'a', status: 'completed' }] },
      'The runs ended without a video that can be posted.',
    ],
  ])('of status %s with %j posts a text', async (status, more, text) => {
    const threadId = await openThread(`${status}-${text.length}`, ['a'])
    expect((await report({ threadId, status, ...more })).body).toEqual({ status: 'ok' })
    expect((await untilPosted(threadId, 1)).map((post) => post.text)).toEqual([text])
    await untilState(threadId, [status])
  })

  test('of an earlier mention in the thread is ignored', async () => {
    const threadId = await openThread('rounds', ['new'])
    const results = [{ runId: 'old', status: 'completed', videoUrl: 'https://example.com/a.mp4' }]
    expect((await report({ threadId, status: 'completed', results })).body.skipped).toBe(true)
    expect(await listPosts(threadId)).toEqual([])
    await report({ threadId, status: 'failed' })
    await untilState(threadId, ['failed'])
  })
})

test('a person mentions the agent on the team chat page and sees its reply', async () => {
  const path = `/team-chat/${teamChatToken(world.config.SERVER_SECRET ?? '')}`
  const form = (body: string) =>
    world.fetch('POST', path, { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } })
  expect((await world.request('GET', '/team-chat/guess')).status).toBe(404)
  const empty = await form('text=+')
  expect([empty.status, await empty.text()]).toEqual([200, expect.stringContaining('not linked')])
  expect((await form('text=x&thread=none')).status).toBe(404)
  const list = await world.request('GET', path)
  expect([list.status, list.text]).toEqual([200, expect.stringContaining('not linked')])
  const sent = await fetch(`${world.baseUrl}${path}`, {
    method: 'POST',
    body: new URLSearchParams({ text: `${artistId} <b>bold</b>` }),
    redirect: 'manual',
  })
  expect(sent.status).toBe(303)
  const thread = sent.headers.get('location') ?? ''
  const page = await eventually('the reply', async () => {
    const { text } = await world.request('GET', thread)
    return text.includes('Content agent') && !text.includes('http-equiv') ? text : undefined
  })
  expect(page).toContain('not linked to an account')
  expect(page).toContain('&lt;b&gt;bold&lt;/b&gt;')
  expect((await world.request('GET', path)).text).toContain('2 messages')
})

test('in production mode the agent receives nothing until every secret is set', async () => {
  const { config } = world.deps
  const settings = { PRODUCTION_MODE: true, TEAMCHAT_PROVIDER: 'slack', TEAMCHAT_TOKEN: 'xoxb-1' } as const
  const body = JSON.stringify({ type: 'url_verification', challenge: 'abc' })
  const statusWith = async (more: Partial<typeof config>) => {
    Object.assign(config, settings, more)
    try {
      return (await send(body)).status
    } finally {
      Object.assign(config, before)
    }
  }
  const before = { ...config }
  expect(await statusWith({})).toBe(200)
  for (const name of ['TEAMCHAT_TOKEN', 'TEAMCHAT_SIGNING_SECRET', 'CALLBACK_SECRET'])
    expect([name, await statusWith({ [name]: undefined })]).toEqual([name, 503])
  expect(await statusWith({ TEAMCHAT_PROVIDER: 'embedded' })).toBe(503)
  expect(await statusWith({ TEAMCHAT_PROVIDER: 'embedded', ALLOW_EMBEDDED: 'team-chat' })).toBe(200)
  for (const name of ['TEAMCHAT_TOKEN', 'TEAMCHAT_SIGNING_SECRET'])
    expect(() => loadConfig({ TEAMCHAT_PROVIDER: 'slack' })).toThrow(`${name} is required`)
  expect(() => loadConfig({ TEAMCHAT_API_URL: 'http://example.com/api' })).toThrow('https')
  expect(() => loadConfig({ TEAMCHAT_ACCOUNTS: '{"T1":"no-account"}' })).toThrow('TEAMCHAT_ACCOUNTS')
})
