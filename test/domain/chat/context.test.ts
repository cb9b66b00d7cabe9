import type { LanguageModelV3Message } from '@ai-sdk/provider'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contextCap, messageTokens, promptTokens, withinContext } from '../../../domain/chat/prompt/context.ts'

const user = (text: string): LanguageModelV3Message => ({ role: 'user', content: [{ type: 'text', text }] })
const assistant = (text: string): LanguageModelV3Message => ({ role: 'assistant', content: [{ type: 'text', text }] })
const callWithResult = (id: string, length: number): LanguageModelV3Message[] => [
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: id, toolName: 'bash', input: { command: 'x'.repeat(length) } }],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: id, toolName: 'bash', output: { type: 'text', value: 'y'.repeat(length) } },
    ],
  },
]

const exchange = fc.oneof(
  fc.nat(60).map((length) => [user('u'.repeat(length))]),
  fc.nat(60).map((length) => [assistant('a'.repeat(length))]),
  fc.tuple(fc.uuid(), fc.nat(60)).map(([id, length]) => callWithResult(id, length)),
)
const history = fc.array(exchange, { maxLength: 15 }).map((groups) => groups.flat())
const cap = fc.nat(300)

const listIds = (messages: LanguageModelV3Message[], type: string): string[] =>
  messages.flatMap((message) => {
    const parts: { type: string; toolCallId?: string }[] = typeof message.content === 'string' ? [] : message.content
    return parts.filter((part) => part.type === type).map((part) => part.toolCallId ?? '')
  })

describe('tokens of a message', () => {
  it.each([
    ['', 4],
    ['abcd', 5],
    ['abcde', 6],
  ])('of %j are %i', (text, tokens) => {
    expect(messageTokens(user(text))).toBe(tokens)
  })

  it('count inputs, outputs and inline files', () => {
    expect(callWithResult('id', 4).map(messageTokens)).toEqual([
      Math.ceil((4 + '{"command":"xxxx"}'.length) / 4) + 4,
      5,
    ])
    expect(
      messageTokens({ role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: 'a'.repeat(400) }] }),
    ).toBe(104)
  })
})

describe('the context cap', () => {
  const model = { contextWindow: 1000, outputReserve: 250 }
  it.each([
    [undefined, 750],
    [null, 750],
    [10, 10],
    [900, 900],
    [5000, 1000],
  ])('for a limit of %s is %i', (limit, expected) => {
    expect(contextCap(limit, model)).toBe(expected)
  })
})

describe('the part of a history that fits into the context', () => {
  it('is selected from the latest message backwards', () => {
    const messages = [user('a'.repeat(40)), assistant('b'.repeat(40)), user('c'.repeat(40))]
    expect(withinContext(messages, 42)).toEqual(messages)
    expect(withinContext(messages, 41)).toEqual(messages.slice(1))
    expect(withinContext(messages, 28)).toEqual(messages.slice(1))
    expect(withinContext(messages, 27)).toEqual(messages.slice(2))
    expect(withinContext(messages, 0)).toEqual(messages.slice(2))
  })

  it('stops at the first message that does not fit, even if an older message fits', () => {
    const messages = [user('a'), assistant('b'.repeat(4000)), user('c')]
    expect(withinContext(messages, 100)).toEqual(messages.slice(2))
  })

  it('contains the last user message and the steps after it, regardless of their size', () => {
    const messages = [user('a'), assistant('b'), user('c'.repeat(4000)), ...callWithResult('id', 4000)]
    expect(withinContext(messages, 10)).toEqual(messages.slice(2))
  })

  it('never separates a call from its result', () => {
    const messages = [...callWithResult('id', 40), user('c')]
    const whole = promptTokens(messages)
    expect(withinContext(messages, whole)).toEqual(messages)
    expect(withinContext(messages, whole - 1)).toEqual(messages.slice(2))
  })

  it('is the longest suffix that the rules allow, for any history and cap', () => {
    fc.assert(
      fc.property(history, cap, (messages, limit) => {
        const selected = withinContext(messages, limit)
        expect(selected).toEqual(messages.slice(messages.length - selected.length))
        const mandatory = messages.slice(
          Math.max(
            0,
            messages.findLastIndex((message) => message.role === 'user'),
          ),
        )
        const hasUser = messages.some((message) => message.role === 'user')
        if (hasUser) expect(selected.length).toBeGreaterThanOrEqual(mandatory.length)
        if (!hasUser || selected.length > mandatory.length) expect(promptTokens(selected)).toBeLessThanOrEqual(limit)
        expect(listIds(selected, 'tool-call').toSorted()).toEqual(listIds(selected, 'tool-result').toSorted())
        const omitted = messages.slice(0, messages.length - selected.length)
        if (omitted.length > 0) {
          const next = omitted.slice(omitted.at(-1)?.role === 'tool' ? -2 : -1)
          expect(promptTokens([...next, ...selected])).toBeGreaterThan(limit)
        }
      }),
    )
  })

  it('is never shorter with a larger cap', () => {
    fc.assert(
      fc.property(history, cap, cap, (messages, a, b) => {
        const [smaller, larger] = [Math.min(a, b), Math.max(a, b)]
        expect(withinContext(messages, smaller).length).toBeLessThanOrEqual(withinContext(messages, larger).length)
      }),
    )
  })
})
