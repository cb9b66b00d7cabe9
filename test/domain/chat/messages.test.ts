import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import {
  chatTitleFrom,
  headlessMessages,
  messageText,
  requestMessages,
  toStoredMessage,
} from '../../../domain/chat/messages.ts'

const user = { id: 'u1', role: 'user', content: 'Hello' }
const answer = {
  id: 'a1',
  role: 'assistant',
  parts: [{ type: 'tool-ask_user_question', toolCallId: 'call_1', state: 'output-available', output: {} }],
}

const failingPath = (schema: z.ZodType, value: unknown) => {
  const parsed = schema.safeParse(value)
  return parsed.success ? 'accepted' : parsed.error.issues[0]?.path
}

describe('the messages of a request', () => {
  it.each([
    ['a user message with content', [user], 'accepted'],
    ['a user message with parts', [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'x' }] }], 'accepted'],
    ['an empty content', [{ ...user, content: '' }], 'accepted'],
    ['metadata', [{ ...user, metadata: { from: 'mail' } }], 'accepted'],
    ['a system message before the user', [{ id: 's', role: 'system', content: 'Be brief' }, user], 'accepted'],
    ['an answer to a question at the end', [user, answer], 'accepted'],
    ['neither content nor parts', [user, answer, user, { id: 'x', role: 'user' }], [3, 'content']],
    ['parts that are not objects', [{ id: 'x', role: 'user', parts: ['text'] }], [0, 'parts', 0]],
    ['a part without a type', [{ id: 'x', role: 'user', parts: [{ text: 'x' }] }], [0, 'parts', 0, 'type']],
    ['an unknown role', [{ ...user, role: 'tool' }], [0, 'role']],
    ['an empty id', [{ ...user, id: '' }], [0, 'id']],
    ['an id of 129 characters', [{ ...user, id: 'x'.repeat(129) }], [0, 'id']],
    ['an id of 128 characters outside the basic plane', [{ ...user, id: '🎵'.repeat(128) }], 'accepted'],
    ['no message', [], []],
    ['2001 messages', Array.from({ length: 2001 }, () => user), []],
    ['an assistant message at the end', [user, { id: 'a', role: 'assistant', content: 'Hi' }], []],
    [
      'an unanswered question at the end',
      [user, { ...answer, parts: [{ ...answer.parts[0], state: 'input-available' }] }],
      [],
    ],
    ['a system message at the end', [{ id: 's', role: 'system', content: 'x' }], []],
    [
      'the first of two errors',
      [
        { ...user, id: '' },
        { id: 'x', role: 'user' },
      ],
      [0, 'id'],
    ],
  ])('with %s', (_, messages, outcome) => {
    expect(failingPath(requestMessages, messages)).toEqual(outcome)
  })

  it('of a headless run must end with a user message', () => {
    expect(failingPath(headlessMessages, [user])).toBe('accepted')
    expect(failingPath(headlessMessages, [user, answer])).toEqual([])
  })
})

describe('a stored message', () => {
  it('contains content as one text part', () => {
    const [message] = requestMessages.parse([user])
    expect(message && toStoredMessage(message)).toEqual({
      id: 'u1',
      role: 'user',
      parts: [{ type: 'text', text: 'Hello' }],
    })
  })

  it('contains the parts instead of the content if both are sent, with all their members and the metadata', () => {
    const parts = [{ type: 'file', url: 'https://x.test/a.png', mediaType: 'image/png', extra: [1] }]
    const [message] = requestMessages.parse([{ ...user, parts, metadata: { a: 1 } }])
    expect(message && toStoredMessage(message)).toEqual({ id: 'u1', role: 'user', parts, metadata: { a: 1 } })
  })

  it('has a text that joins its text parts with a space', () => {
    const parts = [
      { type: 'text', text: 'a' },
      { type: 'file', url: 'x' },
      { type: 'text', text: 'b' },
      { type: 'text' },
    ]
    expect(messageText({ parts })).toBe('a b')
  })
})

describe('the title of a chat', () => {
  it.each([
    ['short text as it is', 'Hello', 'Hello'],
    ['no white space around it', '  Hello \n', 'Hello'],
    ['80 characters whole', 'x'.repeat(80), 'x'.repeat(80)],
    ['81 characters cut to 79 and marked', 'x'.repeat(81), `${'x'.repeat(79)}…`],
    ['code points and not code units', '🎵'.repeat(80), '🎵'.repeat(80)],
    ['nothing of blank text', ' \n\t', ''],
  ])('keeps %s', (_, text, title) => {
    expect(chatTitleFrom(text)).toBe(title)
  })

  it('has up to 80 characters, starts like its text and contains no partial character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const title = chatTitleFrom(text)
        expect(Array.from(title).length).toBeLessThanOrEqual(80)
        expect(title).not.toMatch(/\p{Surrogate}/u)
        const trimmed = text.trim()
        expect(trimmed === title || trimmed.startsWith(title.slice(0, -1))).toBe(true)
      }),
    )
  })

  it('does not change when a title is derived from it again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const title = chatTitleFrom(text)
        expect(chatTitleFrom(title).trim()).toBe(title.trim())
      }),
    )
  })
})
