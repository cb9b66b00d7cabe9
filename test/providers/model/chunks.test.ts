import { expect, it } from 'vitest'
import { AnswerReader } from '../../../providers/model/openai/answer.ts'
import { ChunkReader } from '../../../providers/model/openai/chunks.ts'

const createChunk = (index: number) => ({
  choices: [{ delta: { tool_calls: [{ index, function: { arguments: 'x'.repeat(1024) } }] } }],
})

it('arguments of a call without a name are emitted after 64 KB, so that the output limit covers them', () => {
  const reader = new ChunkReader({ adapter: 'test' }, () => {})
  let emitted = 0
  for (let index = 0; index < 300; index += 1)
    for (const part of reader.read(createChunk(index % 3)))
      if (part.type === 'tool-input-delta') emitted += part.delta.length
  expect(emitted).toBeGreaterThan(230 * 1024)
  const starts = reader.end().filter(({ type }) => type === 'tool-input-start')
  expect(starts).toEqual([])
})

const formatEvent = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ delta, finish_reason }] })}\n\n`

const read = (...deltas: object[]) => {
  const reader = new AnswerReader({ adapter: 'test', vendor: 'maker' }, undefined)
  return [
    ...reader.feed([...deltas.map((delta) => formatEvent(delta)), formatEvent({}, 'stop')].join('')),
    ...reader.end(),
  ]
}

const joinText = (parts: ReturnType<typeof read>, type: string) =>
  parts.flatMap((part) => (part.type === type && 'delta' in part ? [part.delta] : [])).join('')

it.each<[string, unknown, { text?: string; thought?: string }]>([
  [
    'blocks of text',
    [
      { type: 'text', text: 'One ' },
      { type: 'text', text: 'two' },
    ],
    { text: 'One two' },
  ],
  ['one block', { type: 'text', text: 'One' }, { text: 'One' }],
  ['an array of texts', ['One ', 'two'], { text: 'One two' }],
  [
    'nested thinking',
    [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
      { type: 'text', text: 'Yes' },
    ],
    { thought: 'Hm', text: 'Yes' },
  ],
  ['plain thinking', [{ type: 'thinking', thinking: 'Hm' }], { thought: 'Hm' }],
  [
    'a citation',
    [
      { type: 'reference', reference_ids: [1] },
      { type: 'text', text: 'Yes' },
    ],
    { text: 'Yes' },
  ],
])('content with %s is read', (_, content, { text = '', thought = '' }) => {
  const parts = read({ content })
  expect([joinText(parts, 'text-delta'), joinText(parts, 'reasoning-delta')]).toEqual([text, thought])
})

it.each([
  ['image_url', [{ type: 'image_url', image_url: { url: 'x' } }]],
  ['number', 7],
  ['words', { words: 'One' }],
])('content of an unknown shape fails the call, and the error names it: %s', (name, content) => {
  expect(() => read({ content })).toThrow(`content of an unknown type: ${name}`)
})

it('a byte order mark at the start of the stream loses no event', () => {
  const reader = new AnswerReader({ adapter: 'test' }, undefined)
  reader.feed('')
  const parts = [...reader.feed(`\uFEFF${formatEvent({ content: 'First' })}`), ...reader.feed(formatEvent({}, 'stop'))]
  expect(joinText(parts, 'text-delta')).toBe('First')
})

const callDelta = (index: number | undefined, id: string | undefined, name: string | undefined, text: string) => ({
  tool_calls: [{ ...(index !== undefined && { index }), ...(id && { id }), function: { name, arguments: text } }],
})

it.each([
  [
    'one id and separate indexes',
    [
      callDelta(0, 'c', 'bash', '{"a"'),
      callDelta(1, 'c', 'bash', '{"b"'),
      callDelta(0, 'c', undefined, ':1}'),
      callDelta(1, 'c', undefined, ':2}'),
    ],
  ],
  [
    'separate ids and one index',
    [
      callDelta(0, 'c', 'bash', '{"a"'),
      callDelta(0, 'd', 'bash', '{"b"'),
      callDelta(0, 'c', undefined, ':1}'),
      callDelta(0, 'd', undefined, ':2}'),
    ],
  ],
  ['one id and complete arguments', [callDelta(0, 'c', 'bash', '{"a":1}'), callDelta(1, 'c', 'bash', '{"b":2}')]],
])('two tool calls with %s remain separate', (_, deltas) => {
  const calls = read(...deltas).flatMap((part) => (part.type === 'tool-call' ? [part.input] : []))
  expect(calls).toEqual(['{"a":1}', '{"b":2}'])
})

it('signed and encrypted reasoning that arrives in several chunks is stored with its part', () => {
  const parts = read(
    { reasoning: 'Let ', reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'Let ' }] },
    { reasoning: 'me', reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'me', signature: 'sig' }] },
    { content: 'Yes' },
    { reasoning_details: [{ type: 'reasoning.encrypted', index: 1, data: 'secret' }] },
  )
  const metadata = parts.flatMap((part) => (part.type === 'reasoning-end' ? [part.providerMetadata] : []))
  const details = [
    [{ type: 'reasoning.text', index: 0, text: 'Let me', signature: 'sig' }],
    [{ type: 'reasoning.encrypted', index: 1, data: 'secret' }],
  ]
  const common = { vendor: 'maker', detailsField: 'reasoning_details' }
  expect(metadata).toEqual([
    { test: { ...common, reasoningField: 'reasoning', details: details[0] } },
    { test: { ...common, details: details[1] } },
  ])
})

it('metadata that a server expects back with a call is stored with the call', () => {
  const extra_content = { google: { thought_signature: 'sig' } }
  const [whole] = callDelta(0, 'c', 'bash', '{}').tool_calls
  const parts = read({ tool_calls: [{ ...whole, extra_content }] })
  expect(parts).toContainEqual(
    expect.objectContaining({
      type: 'tool-call',
      providerMetadata: { test: { vendor: 'maker', extra: extra_content } },
    }),
  )
})
