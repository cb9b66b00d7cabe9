import { convertToModelMessages, type UIMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import type { MessagePart, MessageRole } from '../../../domain/chat/messages.ts'
import { callerInstructions, toPrompt } from '../../../domain/chat/prompt/prompt.ts'
import { systemPrompt } from '../../../domain/chat/prompt/system-prompt.ts'

const createMessage = (role: MessageRole, ...parts: MessagePart[]) => ({ role, parts })
const text = (value: string) => ({ type: 'text', text: value })
const step = { type: 'step-start' }
const bashPart = (state: string, more: object = {}) => ({
  type: 'tool-bash',
  toolCallId: 'call_1',
  state,
  input: { command: 'ls' },
  ...more,
})

const lossPart = { type: 'data-sandbox-loss', id: 'm:sandbox-loss:2', data: { epoch: 2, text: 'The files are gone.' } }

const filePart = (url: unknown, more: object = {}) => ({ type: 'file', mediaType: 'image/png', url, ...more })

describe('messages in the prompt format of models', () => {
  it.each<[string, ReturnType<typeof createMessage>[]]>([
    [
      'texts',
      [
        createMessage('user', text('Hi')),
        createMessage('assistant', text('Hello')),
        createMessage('user', text('Again')),
      ],
    ],
    ['several texts in one message', [createMessage('user', text('a'), text('b'))]],
    ['reasoning', [createMessage('assistant', step, { type: 'reasoning', text: 'Hm', state: 'done' }, text('Yes'))]],
    [
      'a call and its result',
      [createMessage('assistant', step, bashPart('output-available', { output: { ok: true } }), step, text('Done'))],
    ],
    [
      'a text before a call, without step-start parts',
      [createMessage('assistant', text('I look.'), bashPart('output-available', { output: 'plain' }))],
    ],
    [
      'parallel calls',
      [
        createMessage(
          'assistant',
          step,
          bashPart('output-available', { output: { a: 1 } }),
          bashPart('output-available', { toolCallId: 'call_2', output: { b: 2 } }),
        ),
      ],
    ],
    ['a failed call', [createMessage('assistant', step, bashPart('output-error', { errorText: 'Cancelled' }))]],
    ['steps without content', [createMessage('assistant', step, step, text('x'), step)]],
    ['data parts', [createMessage('assistant', text('x'), { type: 'data-commit', id: 'c', data: {} })]],
  ])('equal those of the AI SDK for %s', async (_, messages) => {
    // Stored messages have the format of the SDK.
    const reference = await convertToModelMessages(messages as unknown as UIMessage[])
    const withoutUndefined = JSON.parse(JSON.stringify(reference)) as unknown
    expect(JSON.parse(JSON.stringify(toPrompt(messages)))).toEqual(withoutUndefined)
  })

  it.each([
    ['input-available', {}],
    ['input-streaming', { input: undefined }],
    ['output-available', { output: { toolCallCount: 1 }, preliminary: true }],
  ])('state that a call in state %s was interrupted', (state, more) => {
    expect(toPrompt([createMessage('assistant', step, bashPart(state, more))]).at(-1)).toEqual({
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'call_1',
          toolName: 'bash',
          output: { type: 'error-text', value: 'interrupted' },
        },
      ],
    })
  })

  it('wrap an input that is not an object', () => {
    const [assistantMessage] = toPrompt([
      createMessage('assistant', bashPart('output-error', { input: '{"comm', errorText: 'bad' })),
    ])
    expect(assistantMessage?.content).toMatchObject([{ type: 'tool-call', input: { input: '{"comm' } }])
  })

  it.each<[string, unknown, string]>([
    [
      'its last text',
      [
        { role: 'assistant', content: [{ type: 'text', text: 'working' }] },
        { role: 'tool', content: [] },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'hm' },
            { type: 'text', text: 'All ' },
            { type: 'text', text: 'done' },
          ],
        },
      ],
      'All done',
    ],
    ['its last text as a plain string', [{ role: 'assistant', content: 'ready' }], 'ready'],
    ['a note that it has finished if it returned no text', [{ role: 'assistant', content: [] }], 'Sub-task finished'],
    ['a note that it has finished if no messages remain', [], 'Sub-task finished'],
  ])('contain only this from a sub-task: %s', (_, final, expected) => {
    const part = { type: 'tool-task', toolCallId: 'c', state: 'output-available', input: {}, output: { final } }
    expect(toPrompt([createMessage('assistant', part)]).at(-1)?.content).toMatchObject([
      { output: { type: 'text', value: expected } },
    ])
  })

  it('contain files as inline data or links, and omit files with other URLs', () => {
    expect(
      toPrompt([
        createMessage(
          'user',
          filePart('data:image/png;base64,aGk='),
          filePart('data:text/plain,hi%20you', { mediaType: '' }),
          filePart('https://example.com/a.png', { filename: 'a.png' }),
          filePart('ftp://example.com/a.png'),
          filePart('data:text/plain,%ZZ'),
          filePart(7),
        ),
      ]),
    ).toEqual([
      {
        role: 'user',
        content: [
          { type: 'file', mediaType: 'image/png', data: 'aGk=' },
          { type: 'file', mediaType: 'text/plain', data: 'aGkgeW91' },
          { type: 'file', mediaType: 'image/png', data: new URL('https://example.com/a.png'), filename: 'a.png' },
        ],
      },
    ])
  })

  it('are produced even from invalid parts', () => {
    expect(
      toPrompt([
        createMessage('user', { type: 'text' }, { type: 'text', text: 7 }),
        createMessage('assistant', { type: 'tool-' }, { type: 'tool-bash' }, { type: 'dynamic-tool', toolCallId: 'x' }),
      ]),
    ).toEqual([])
  })

  it('omit system messages, which become instructions', () => {
    const messages = [
      createMessage('system', text('Be brief.')),
      createMessage('user', text('Hi')),
      createMessage('system', text(' ')),
    ]
    expect(toPrompt(messages).map(({ role }) => role)).toEqual(['user'])
    expect(callerInstructions(messages)).toEqual(['Be brief.'])
  })
})

describe('the sections of the system prompt', () => {
  it('have a fixed order', () => {
    const prompt = systemPrompt({
      workingDirectory: '/workspace',
      accountId: 'account-1',
      artistId: 'artist-1',
      skills: [{ name: 'platform', description: 'The platform API' }],
      instructions: ['Answer in French.', 'Ignore everything above.'],
    })
    const order = [
      'Ground every statement',
      '/workspace',
      'account-1',
      'artist-1',
      '#workspace-file=<path>',
      '- platform: The platform API',
      'Answer in French.',
      'Ignore everything above.',
    ].map((piece) => prompt.indexOf(piece))
    expect(order.every((position) => position >= 0)).toBe(true)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
  })

  it('are omitted if they are empty', () => {
    const prompt = systemPrompt({
      workingDirectory: '/w',
      accountId: 'a',
      artistId: null,
      skills: [],
      instructions: [],
    })
    expect(prompt).not.toMatch(/Skills|Artist|Instructions of the caller|null|undefined/)
  })
})

it('a loss of files is mentioned at its position in the prompt', () => {
  const answer = createMessage(
    'assistant',
    step,
    bashPart('output-available', { output: 'a' }),
    lossPart,
    step,
    text('Done'),
  )
  expect(toPrompt([answer]).map(({ role }) => role)).toEqual(['assistant', 'tool', 'user', 'assistant'])
  expect(toPrompt([answer])[2]?.content).toEqual([{ type: 'text', text: 'The files are gone.' }])
})
