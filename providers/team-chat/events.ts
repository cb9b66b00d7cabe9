import { z } from 'zod'
import { firstCodePoints } from '../../domain/fields/fields.ts'
import { parseJson } from '../../domain/fields/json.ts'
import { storableText } from '../../domain/fields/storable.ts'
import { ProviderError } from '../errors/provider-error.ts'
import type { ChatEvent } from './index.ts'

/** Maximum characters of a mention. Longer texts are truncated. */
const maxTextLength = 4000

const idPart = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[^:\0]+$/)
const challenge = z.looseObject({ type: z.literal('url_verification'), challenge: z.string().max(512) })
const envelope = z.looseObject({
  type: z.literal('event_callback'),
  event: z.looseObject({ type: z.literal('app_mention') }),
})
const mention = z.looseObject({
  team_id: idPart,
  event: z.looseObject({
    channel: idPart,
    ts: idPart,
    thread_ts: idPart.optional(),
    text: z.string(),
    user: z.string().optional(),
    bot_id: z.string().nullish(),
    subtype: z.string().optional(),
  }),
})

/** Parses an event of the platform. Throws `invalid` for a malformed body. */
export function parseEvent(rawBody: Buffer): ChatEvent {
  const body = parseBody(rawBody)
  if (isObject(body) && body['type'] === 'url_verification') {
    const parsed = challenge.safeParse(body)
    if (!parsed.success) throw new ProviderError('invalid', 'team chat: the verification event has no challenge')
    return { kind: 'challenge', challenge: parsed.data.challenge }
  }
  if (!envelope.safeParse(body).success) return { kind: 'other' }
  const message = mention.safeParse(body)
  if (!message.success)
    throw new ProviderError('invalid', 'team chat: the mention has no workspace, channel or timestamp')
  const { team_id: workspaceId, event } = message.data
  return {
    kind: 'mention',
    // Derived from the message, because an edit sends another event for the same message.
    eventId: `${workspaceId}:${event.channel}:${event.ts}`,
    workspaceId,
    threadId: `${workspaceId}:${event.channel}:${event.thread_ts ?? event.ts}`,
    text: firstCodePoints(storableText(event.text), maxTextLength),
    isBot: Boolean(event.bot_id) || event.subtype === 'bot_message',
  }
}

function parseBody(rawBody: Buffer): unknown {
  let body: unknown
  try {
    body = parseJson(rawBody.toString())
  } catch {
    throw new ProviderError('invalid', 'team chat: the body is not JSON')
  }
  if (!isObject(body)) throw new ProviderError('invalid', 'team chat: the body is not a JSON object')
  return body
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
