import { describe, expect, it } from 'vitest'
import type { MessagePart, MessageRole, UiMessage } from '../../../domain/chat/messages.ts'
import { withinContext } from '../../../domain/chat/prompt/context.ts'
import { toValidPrompt } from '../../../domain/chat/prompt/valid-prompt.ts'
import { toPrompt } from '../../../domain/chat/prompt/prompt.ts'
import { toWireMessages, serializeMembers } from '../../../providers/model/openai/prompt.ts'
import { createRandom, type Random } from '../../world/random.ts'
import { findConversationFault } from '../../world/models/strict-model.ts'

type Message = Pick<UiMessage, 'role' | 'parts'>

const message = (role: MessageRole, ...parts: MessagePart[]): Message => ({ role, parts })
const text = (value: string) => ({ type: 'text', text: value })
const step = { type: 'step-start' }
const call = (toolCallId: string, overrides: object = {}, name = 'bash') => ({
  type: `tool-${name}`,
  toolCallId,
  state: 'output-available',
  input: {},
  output: 'done',
  ...overrides,
})
const file = (mediaType: string, url: string) => ({ type: 'file', mediaType, url, filename: 'report' })

/** Converts a history into the messages that a vendor receives. */
const replayHistory = (history: readonly Message[], cap = Infinity, source = { adapter: 'test' }) =>
  toWireMessages(
    toValidPrompt([{ role: 'system', content: 'Be brief.' }, ...withinContext(toPrompt(history), cap)]),
    source,
  )

const user = message('user', text('Go on'))

describe('the replay of a history', () => {
  it.each<[string, Message[]]>([
    ['an invalid tool name', [user, message('assistant', call('c', {}, 'functions.bash')), user]],
    ['a tool name that is too long', [user, message('assistant', call('c', {}, 'x'.repeat(100))), user]],
    ['an invalid id', [user, message('assistant', call('functions.bash:0 é')), user]],
    ['an id that is too long', [user, message('assistant', call('c'.repeat(200))), user]],
    ['one id in two steps', [user, message('assistant', step, call('c'), step, call('c')), user]],
    ['one id twice in a step', [user, message('assistant', call('c'), call('c', { output: 'again' })), user]],
    ['ids that become equal when they are made valid', [user, message('assistant', call('a.b'), call('a:b')), user]],
    ['an input that is not an object', [user, message('assistant', call('c', { input: [1] })), user]],
    [
      'an input that is not JSON',
      [user, message('assistant', call('c', { input: '{"a":', state: 'output-error' })), user],
    ],
    ['a call without a result', [user, message('assistant', call('c', { state: 'input-available' })), user]],
    ['an empty result', [user, message('assistant', call('c', { output: '' })), user]],
    ['an empty message', [message('user', text(''))]],
    ['a blank message', [message('user', text(' \n'))]],
    ['a message without parts', [user, message('assistant', text('Yes')), message('user')]],
    ['an empty answer', [user, message('assistant'), user]],
    ['an answer that contains only reasoning', [user, message('assistant', { type: 'reasoning', text: 'Hm' }), user]],
    ['a blank answer', [user, message('assistant', text(' ')), user]],
    ['two user messages in a row', [user, user]],
    ['an answer at the beginning', [message('assistant', text('Hi')), user]],
    ['an answer at the end', [user, message('assistant', text('Hi'))]],
    ['half of a surrogate pair', [message('user', text('a\uD83D'))]],
    ['half of a surrogate pair in an input', [user, message('assistant', call('c', { input: { a: '\uD83D' } })), user]],
    ['a spreadsheet', [message('user', file('application/vnd.ms-excel', 'data:application/vnd.ms-excel;base64,aGk='))]],
    ['a video', [message('user', file('video/mp4', 'data:video/mp4;base64,aGk='))]],
    ['an SVG image', [message('user', file('image/svg+xml', 'data:image/svg+xml;base64,aGk='))]],
    ['an image of another format', [message('user', file('image/heic', 'data:image/heic;base64,aGk='))]],
    ['a damaged image', [message('user', file('image/png', 'data:image/png;base64,a*'))]],
    ['an empty image', [message('user', file('image/png', 'data:image/png;base64,'))]],
    ['an image with a wildcard type', [message('user', file('image/*', 'data:image/*;base64,/9j/aGk='))]],
    [
      'an image that the model produced',
      [user, message('assistant', file('image/png', 'data:image/png;base64,aGk=')), user],
    ],
    ['a link with an unsupported protocol', [message('user', file('image/png', 'ftp://x.test/a.png'))]],
    [
      'a system message in the middle',
      [user, message('system', text('Be loud.')), message('assistant', text('Yes')), user],
    ],
  ])('corrects what a vendor would reject: %s', (_, history) => {
    expect(findConversationFault(replayHistory(history))).toBeUndefined()
  })

  it('keeps the content of a text file and replaces an unsupported file with a note that names it', () => {
    const history = [
      message('user', file('image/svg+xml', `data:image/svg+xml;base64,${btoa('<svg/>')}`)),
      message('user', file('application/zip', 'data:application/zip;base64,aGk=')),
    ]
    expect(replayHistory(history).at(-1)?.['content']).toBe(
      'report:\n<svg/>\n\n[The attachment "report" of type application/zip is not shown: models do not read files of this type.]',
    )
  })

  it('sends an image with the media type that its first bytes show', () => {
    const [sent] = replayHistory([message('user', file('image/png', 'data:image/png;base64,/9j/aGk='))]).slice(1)
    expect(sent?.['content']).toEqual([{ type: 'image_url', image_url: { url: 'data:image/jpeg;base64,/9j/aGk=' } }])
  })

  it('does not change an acceptable history', () => {
    const history = [user, message('assistant', text('I look.'), call('call_1', { output: { a: 1 } })), user]
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
  if (kind === 'text') return text(random.pick(texts))
  if (kind === 'reasoning') return { type: kind, text: random.pick(texts), providerMetadata: metadata }
  if (kind === 'file') return { type: kind, mediaType: random.pick(mediaTypes), url: random.pick(urls) }
  if (kind === 'step-start') return step
  if (kind === 'data') return { type: 'data-commit', id: 'c', data: {} }
  if (kind === 'steer')
    return {
      type: 'data-steer',
      id: 's',
      data: { index: 0, step: 1, messageId: 'm', parts: [text(random.pick(texts))] },
    }
  const shown = { state: random.pick(states), input: random.pick(values), output: random.pick(values) }
  const name = random.pick(names)
  const overrides = { ...shown, errorText: random.pick(texts), preliminary: random.chance(0.1) }
  return random.chance(0.1)
    ? { type: 'dynamic-tool', toolName: name, toolCallId: random.pick(ids), ...overrides }
    : call(random.pick(ids), overrides, name)
}

const drawHistory = (random: Random): Message[] =>
  Array.from({ length: random.between(1, 8) }, () =>
    message(
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
