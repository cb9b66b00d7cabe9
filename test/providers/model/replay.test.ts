import { describe, expect, it } from 'vitest'
import type { MessagePart, MessageRole, UiMessage } from '../../../domain/chat/messages.ts'
import { withinContext } from '../../../domain/chat/prompt/context.ts'
import { toValidPrompt } from '../../../domain/chat/prompt/valid-prompt.ts'
import { toPrompt } from '../../../domain/chat/prompt/prompt.ts'
import { toWireMessages, serializeMembers } from '../../../providers/model/openai/prompt.ts'
import { createRandom, type Random } from '../../world/random.ts'
import { findConversationFault } from '../../world/models/strict-model.ts'

type Message = Pick<UiMessage, 'role' | 'parts'>

const createMessage = (role: MessageRole, ...parts: MessagePart[]): Message => ({ role, parts })
const createTextPart = (value: string) => ({ type: 'text', text: value })
const step = { type: 'step-start' }
const createToolCall = (toolCallId: string, overrides: object = {}, name = 'bash') => ({
  type: `tool-${name}`,
  toolCallId,
  state: 'output-available',
  input: {},
  output: 'done',
  ...overrides,
})
const createFilePart = (mediaType: string, url: string) => ({ type: 'file', mediaType, url, filename: 'report' })

/** Converts a history into the messages that a vendor receives. */
const replayHistory = (history: readonly Message[], cap = Infinity, source = { adapter: 'test' }) =>
  toWireMessages(
    toValidPrompt([{ role: 'system', content: 'Be brief.' }, ...withinContext(toPrompt(history), cap)]),
    source,
  )

const user = createMessage('user', createTextPart('Go on'))

describe('the replay of a history', () => {
  it.each<[string, Message[]]>([
    ['an invalid tool name', [user, createMessage('assistant', createToolCall('c', {}, 'functions.bash')), user]],
    [
      'a tool name that is too long',
      [user, createMessage('assistant', createToolCall('c', {}, 'x'.repeat(100))), user],
    ],
    ['an invalid id', [user, createMessage('assistant', createToolCall('functions.bash:0 é')), user]],
    ['an id that is too long', [user, createMessage('assistant', createToolCall('c'.repeat(200))), user]],
    [
      'one id in two steps',
      [user, createMessage('assistant', step, createToolCall('c'), step, createToolCall('c')), user],
    ],
    [
      'one id twice in a step',
      [user, createMessage('assistant', createToolCall('c'), createToolCall('c', { output: 'again' })), user],
    ],
    [
      'ids that become equal when they are made valid',
      [user, createMessage('assistant', createToolCall('a.b'), createToolCall('a:b')), user],
    ],
    ['an input that is not an object', [user, createMessage('assistant', createToolCall('c', { input: [1] })), user]],
    [
      'an input that is not JSON',
      [user, createMessage('assistant', createToolCall('c', { input: '{"a":', state: 'output-error' })), user],
    ],
    [
      'a call without a result',
      [user, createMessage('assistant', createToolCall('c', { state: 'input-available' })), user],
    ],
    ['an empty result', [user, createMessage('assistant', createToolCall('c', { output: '' })), user]],
    ['an empty message', [createMessage('user', createTextPart(''))]],
    ['a blank message', [createMessage('user', createTextPart(' \n'))]],
    ['a message without parts', [user, createMessage('assistant', createTextPart('Yes')), createMessage('user')]],
    ['an empty answer', [user, createMessage('assistant'), user]],
    [
      'an answer that contains only reasoning',
      [user, createMessage('assistant', { type: 'reasoning', text: 'Hm' }), user],
    ],
    ['a blank answer', [user, createMessage('assistant', createTextPart(' ')), user]],
    ['two user messages in a row', [user, user]],
    ['an answer at the beginning', [createMessage('assistant', createTextPart('Hi')), user]],
    ['an answer at the end', [user, createMessage('assistant', createTextPart('Hi'))]],
    ['half of a surrogate pair', [createMessage('user', createTextPart('a\uD83D'))]],
    [
      'half of a surrogate pair in an input',
      [user, createMessage('assistant', createToolCall('c', { input: { a: '\uD83D' } })), user],
    ],
    [
      'a spreadsheet',
      [createMessage('user', createFilePart('application/vnd.ms-excel', 'data:application/vnd.ms-excel;base64,aGk='))],
    ],
    ['a video', [createMessage('user', createFilePart('video/mp4', 'data:video/mp4;base64,aGk='))]],
    ['an SVG image', [createMessage('user', createFilePart('image/svg+xml', 'data:image/svg+xml;base64,aGk='))]],
    [
      'an image of another format',
      [createMessage('user', createFilePart('image/heic', 'data:image/heic;base64,aGk='))],
    ],
    ['a damaged image', [createMessage('user', createFilePart('image/png', 'data:image/png;base64,a*'))]],
    ['an empty image', [createMessage('user', createFilePart('image/png', 'data:image/png;base64,'))]],
    [
      'an image with a wildcard type',
      [createMessage('user', createFilePart('image/*', 'data:image/*;base64,/9j/aGk='))],
    ],
    [
      'an image that the model produced',
      [user, createMessage('assistant', createFilePart('image/png', 'data:image/png;base64,aGk=')), user],
    ],
    ['a link with an unsupported protocol', [createMessage('user', createFilePart('image/png', 'ftp://x.test/a.png'))]],
    [
      'a system message in the middle',
      [
        user,
        createMessage('system', createTextPart('Be loud.')),
        createMessage('assistant', createTextPart('Yes')),
        user,
      ],
    ],
  ])('corrects what a vendor would reject: %s', (_, history) => {
    expect(findConversationFault(replayHistory(history))).toBeUndefined()
  })

  it('keeps the content of a text file and replaces an unsupported file with a note that names it', () => {
    const history = [
      createMessage('user', createFilePart('image/svg+xml', `data:image/svg+xml;base64,${btoa('<svg/>')}`)),
      createMessage('user', createFilePart('application/zip', 'data:application/zip;base64,aGk=')),
    ]
    expect(replayHistory(history).at(-1)?.['content']).toBe(
      'report:\n<svg/>\n\n[The attachment "report" of type application/zip is not shown: models do not read files of this type.]',
    )
  })

  it('sends an image with the media type that its first bytes show', () => {
    const [sent] = replayHistory([
      createMessage('user', createFilePart('image/png', 'data:image/png;base64,/9j/aGk=')),
    ]).slice(1)
    expect(sent?.['content']).toEqual([{ type: 'image_url', image_url: { url: 'data:image/jpeg;base64,/9j/aGk=' } }])
  })

  it('does not change an acceptable history', () => {
    const history = [
      user,
      createMessage('assistant', createTextPart('I look.'), createToolCall('call_1', { output: { a: 1 } })),
      user,
    ]
    expect(toValidPrompt(toPrompt(history))).toEqual(toPrompt(history))
  })
})

const texts = ['', ' ', 'Hello', 'a\uD83D', '\uDE00b', '\0', 'x'.repeat(300), '🎵']
const names = ['bash', 'functions.bash', '', 'é', 'x'.repeat(90), 'read', 'a b/c']
const ids = ['c', 'c', 'call_1', 'functions.bash:0', '', 'c'.repeat(90), 'c'.repeat(91), 'é']
const states = [
  'input-streaming',
  'input-available',
  'approval-requested',
  'approval-responded',
  'output-available',
  'output-error',
  'output-denied',
]
const values = [
  undefined,
  null,
  '',
  'plain',
  7,
  [1, 'two'],
  {},
  { a: '\uD83D' },
  { final: [{ role: 'assistant', content: '' }] },
]
const mediaTypes = [
  'image/png',
  'image/heic',
  'image/*',
  'application/pdf',
  'application/zip',
  'text/csv',
  'audio/mpeg',
  'audio/ogg',
  '',
  'x',
]
const urls = [
  'data:image/png;base64,aGk=',
  'data:;base64,',
  'data:text/plain,hi%20you',
  'https://x.test/a',
  'ftp://x',
  'data:image/png;base64,a*',
  'x',
]

const drawPart = (random: Random): MessagePart => {
  const metadata = { test: { reasoningField: random.pick(['reasoning', 'content', 'reasoning_content']) } }
  const kind = random.pick(['text', 'text', 'reasoning', 'tool', 'tool', 'tool', 'file', 'step-start', 'data', 'steer'])
  if (kind === 'text') return createTextPart(random.pick(texts))
  if (kind === 'reasoning') return { type: kind, text: random.pick(texts), providerMetadata: metadata }
  if (kind === 'file') return { type: kind, mediaType: random.pick(mediaTypes), url: random.pick(urls) }
  if (kind === 'step-start') return step
  if (kind === 'data') return { type: 'data-commit', id: 'c', data: {} }
  if (kind === 'steer')
    return {
      type: 'data-steer',
      id: 's',
      data: { index: 0, step: 1, messageId: 'm', parts: [createTextPart(random.pick(texts))] },
    }
  const shown = { state: random.pick(states), input: random.pick(values), output: random.pick(values) }
  const name = random.pick(names)
  const overrides = { ...shown, errorText: random.pick(texts), preliminary: random.chance(0.1) }
  return random.chance(0.1)
    ? { type: 'dynamic-tool', toolName: name, toolCallId: random.pick(ids), ...overrides }
    : createToolCall(random.pick(ids), overrides, name)
}

const drawHistory = (random: Random): Message[] =>
  Array.from({ length: random.between(1, 8) }, () =>
    createMessage(
      random.pick<MessageRole>(['user', 'assistant', 'assistant', 'system']),
      ...Array.from({ length: random.between(0, 6) }, () => drawPart(random)),
    ),
  )

it('every history that can be stored is accepted by a strict vendor', () => {
  for (let seed = 1; seed <= 3000; seed++) {
    const random = createRandom(seed)
    const history = drawHistory(random)
    const cap = random.chance(0.3) ? random.between(1, 200) : Infinity
    const wire = replayHistory(history, cap)
    expect(findConversationFault(wire), `seed ${seed}: ${JSON.stringify(wire)}`).toBeUndefined()
  }
})

it('a prompt that is extended at each step equals a rebuilt prompt', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = createRandom(seed)
    const earlier = drawHistory(random)
    let parts: MessagePart[] = []
    for (let step = 0; step < 6; step++) {
      const outputs = parts.map((part) => (random.chance(0.1) ? { ...part, output: random.pick(values) } : part))
      parts = [...outputs, ...Array.from({ length: random.between(0, 3) }, () => drawPart(random))]
      const history = [...earlier, user, { role: 'assistant' as const, parts }]
      const source = { adapter: random.pick(['test', 'other']) }
      const sent = replayHistory(history, Infinity, source)
      const rebuilt = replayHistory(structuredClone(history), Infinity, source)
      expect(sent, `seed ${seed}`).toEqual(rebuilt)
      expect(serializeMembers(sent)).toBe(JSON.stringify(rebuilt))
    }
  }
})
