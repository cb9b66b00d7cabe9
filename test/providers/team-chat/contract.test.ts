import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChatMessages } from '../../../domain/content/agent/messages.ts'
import type { ProviderCall } from '../../../providers/call.ts'
import { ProviderError } from '../../../providers/errors/provider-error.ts'
import { createTeamChat } from '../../../providers/team-chat/choose.ts'
import type { TeamChatPort } from '../../../providers/team-chat/index.ts'
import { sign, signingSecret } from '../../content/agent-api.ts'
import { startSlack } from '../vendors/slack.ts'

const token = 'xoxb-test'
const threadId = 'T1:C1:17.1'
const clip = Buffer.from('....ftypisom a clip')
const createCall = (ms = 5000): ProviderCall => ({ deadline: new Date(Date.now() + ms), requestId: 'test' })
const createFile = (name: string) => ({
  url: `https://example.com/${name}`,
  name,
  caption: 'look <!here> & <@U1>',
  read: () => Promise.resolve(clip),
})

let slack: Awaited<ReturnType<typeof startSlack>>
let slackChat: TeamChatPort
let embeddedChat: TeamChatPort
const parseEvent = (chat: TeamChatPort, body: unknown) => chat.parseEvent(Buffer.from(JSON.stringify(body)))
const storedMessages = new Map<string, object>()
const messages: ChatMessages = {
  keep: ({ key, ...message }) => {
    const id = key ?? ''
    if (!storedMessages.has(id)) storedMessages.set(id, message)
    return Promise.resolve(id)
  },
}
beforeAll(async () => {
  slack = await startSlack(token)
  const { apiUrl } = slack
  slackChat = await createTeamChat({ provider: 'slack', signingSecret, token, apiUrl }, messages)
  embeddedChat = await createTeamChat({ provider: 'embedded', signingSecret }, messages)
})
afterAll(() => slack.close())

describe.each([
  ['embedded', () => embeddedChat],
  ['slack', () => slackChat],
])('the %s team chat', (_, getChat) => {
  test('accepts only signed requests', () => {
    const body = JSON.stringify({ type: 'url_verification', challenge: 'abc' })
    const verify = (headers: Record<string, string>) => () => getChat().verifyRequest(headers, Buffer.from(body))
    expect(verify(sign(body))).not.toThrow()
    const { 'x-teamchat-signature': signature = '', 'x-teamchat-request-timestamp': at = '' } = sign(body)
    expect(verify({ 'x-slack-signature': signature, 'x-slack-request-timestamp': at })).not.toThrow()
    for (const headers of [{}, sign('{}'), { ...sign(body), 'x-teamchat-signature': 'v0=' }])
      expect(verify(headers)).toThrow(ProviderError)
  })

  test('reads challenges and mentions and ignores other events', () => {
    const event = { type: 'app_mention', user: 'U2', text: 'hi\0', channel: 'C1', ts: '17.2', thread_ts: '17.1' }
    const callback = { type: 'event_callback', team_id: 'T1', event_id: 'Ev1', event }
    expect(parseEvent(getChat(), callback)).toEqual({
      kind: 'mention',
      eventId: 'T1:C1:17.2',
      workspaceId: 'T1',
      threadId,
      text: 'hi\uFFFD',
      isBot: false,
    })
    expect(parseEvent(getChat(), { ...callback, event: { ...event, bot_id: 'B1' } })).toMatchObject({ isBot: true })
    expect(parseEvent(getChat(), { ...callback, event: { type: 'message' } })).toEqual({ kind: 'other' })
    expect(() => parseEvent(getChat(), { ...callback, team_id: undefined })).toThrow(ProviderError)
    expect(() => parseEvent(getChat(), { ...callback, event: { ...event, channel: 'a:b' } })).toThrow(ProviderError)
  })

  test('returns an id for each posted text and file', async () => {
    const postedMessage = await getChat().postMessage(threadId, 'hello', { ...createCall(), key: 'a' })
    const postedFile = await getChat().postFile(threadId, createFile('video-1.mp4'), { ...createCall(), key: 'b' })
    for (const { messageId } of [postedMessage, postedFile]) expect(messageId).not.toBe('')
  })
})

test('the embedded team chat posts one message per key', async () => {
  const post = (text: string) => embeddedChat.postMessage(threadId, text, { ...createCall(), key: 'once' })
  expect(await post('first')).toEqual(await post('second'))
  expect(storedMessages.get(`${threadId}/once`)).toMatchObject({ text: 'first' })
})

describe('the Slack adapter', () => {
  test('sends the bytes of a file and escapes mentions in texts', async () => {
    await slackChat.postMessage(threadId, '<!channel> & <@U1>', { ...createCall(), key: 'escaped' })
    expect(slack.posted.at(-1)).toMatchObject({
      channel: 'C1',
      thread_ts: '17.1',
      text: '&lt;!channel&gt; &amp; &lt;@U1&gt;',
    })
    await slackChat.postFile(threadId, createFile('video-2.mp4'), { ...createCall(), key: 'file' })
    const { text, files } = slack.posted.at(-1) ?? {}
    expect([text, files?.[0]?.name, files?.[0]?.bytes]).toEqual([
      'look &lt;!here&gt; &amp; &lt;@U1&gt;',
      'video-2.mp4',
      clip,
    ])
  })

  test('finds a post by its key', async () => {
    const find = (key: string, fileName?: string) => slackChat.findPost?.(threadId, { key, fileName }, createCall())
    await slackChat.postMessage(threadId, 'marked', { ...createCall(), key: 'mark' })
    expect(await find('mark')).toEqual({ messageId: slack.posted.at(-1)?.ts })
    await slackChat.postFile(threadId, createFile('video-3.mp4'), { ...createCall(), key: 'x' })
    expect(await find('x', 'video-3.mp4')).toEqual({ messageId: slack.posted.at(-1)?.files?.[0]?.id })
    expect(await find('never', 'never.mp4')).toBeUndefined()
  })

  test.each([
    ['channel_not_found', 'not_found'],
    ['invalid_auth', 'unauthorized'],
    ['ratelimited', 'rate_limited'],
    ['internal_error', 'unavailable'],
    ['msg_too_long', 'invalid'],
  ])('maps the error %s of Slack to the kind %s', async (error, kind) => {
    slack.refuseNext('chat.postMessage', error)
    const posting = slackChat.postMessage(threadId, 'x', { ...createCall(), key: 'r' })
    await expect(posting).rejects.toMatchObject({ name: 'ProviderError', kind })
  })

  test('sends one request if Slack is down or does not respond, and reports a different error kind for each case', async () => {
    slack.failNext('chat.postMessage', 503)
    const before = slack.calls.length
    const posting = () => slackChat.postMessage(threadId, 'x', { ...createCall(300), key: 's' })
    await expect(posting()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(slack.calls).toHaveLength(before + 1)
    slack.holdNextPost()
    await expect(posting()).rejects.toMatchObject({ kind: 'timeout' })
    const closed = await startSlack(token)
    const { apiUrl } = closed
    await closed.close()
    const unreachableChat = await createTeamChat({ provider: 'slack', signingSecret, token, apiUrl }, messages)
    await expect(unreachableChat.postMessage(threadId, 'x', { ...createCall(), key: 't' })).rejects.toMatchObject({
      kind: 'unavailable',
    })
  })
})
