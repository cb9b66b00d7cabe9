import type { UIMessage, UIMessageChunk } from 'ai'
import { expect, test } from 'vitest'
import { insertEarlierParts } from '../../../web/console/chat/live/earlier-parts.ts'
import { withoutRetracted } from '../../../web/console/chat/messages/retractions.ts'

const createMessage = (parts: object[], endReason = 'awaiting_user'): UIMessage => ({
  id: 'answer',
  role: 'assistant',
  metadata: { endReason },
  parts: parts as UIMessage['parts'],
})
const step = { type: 'step-start' }
const createTextPart = (words: string) => ({ type: 'text', text: words })
const createToolPart = (state: string, more: object = {}) => ({
  type: 'tool-bash',
  toolCallId: 'c1',
  input: {},
  state,
  ...more,
})
const approval = { approval: { id: 'apr_1', approved: true } }

const replay = async (stored: UIMessage): Promise<string[]> => {
  const start: UIMessageChunk = { type: 'start', messageId: 'answer' }
  const types: string[] = []
  for await (const { type } of new Blob([])
    .stream()
    .pipeThrough(new TransformStream<unknown, UIMessageChunk>({ flush: (controller) => controller.enqueue(start) }))
    .pipeThrough(insertEarlierParts(stored)))
    types.push(type)
  return types
}

const input = 'tool-input-available'

test.each([
  ['a turn that starts a new message', createMessage([step, createTextPart('one')], 'natural'), ['start']],
  [
    'an approved call whose result is in the log of the new turn',
    createMessage([
      step,
      createTextPart('one'),
      createToolPart('output-available', approval),
      step,
      createTextPart('two'),
    ]),
    ['start', 'start-step', 'text-start', 'text-delta', 'text-end', input],
  ],
  [
    'a tool call of an earlier step and an answered question',
    createMessage([
      step,
      createToolPart('output-available', { output: 'done' }),
      step,
      { type: 'tool-ask_user_question', toolCallId: 'c2', input: {}, state: 'output-available', output: {} },
    ]),
    ['start', 'start-step', input, 'tool-output-available', 'start-step', input, 'tool-output-available'],
  ],
])('the replay of %s begins with the earlier parts', async (_name, stored, types) => {
  expect(await replay(stored)).toEqual(types)
})

test('a retraction removes only the earlier output of its step', () => {
  const retract = { type: 'data-retract', id: 'r1', data: {} }
  const parts = [
    step,
    createTextPart('kept'),
    step,
    createTextPart('lost'),
    createToolPart('output-error'),
    retract,
    step,
    createTextPart('again'),
  ]
  expect(withoutRetracted(createMessage(parts)).parts).toEqual([
    step,
    createTextPart('kept'),
    step,
    createTextPart('again'),
  ])
  const complete = createMessage([step, createTextPart('kept')])
  expect(withoutRetracted(complete)).toBe(complete)
})
