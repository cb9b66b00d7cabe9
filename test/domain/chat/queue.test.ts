import { expect, test } from 'vitest'
import type { RequestMessage, StoredMessage } from '../../../domain/chat/messages.ts'
import { toPrompt } from '../../../domain/chat/prompt/prompt.ts'
import { historyAtTurn, steerFrame, withText } from '../../../domain/chat/queue.ts'

const createMessage = (id: string, role: 'user' | 'assistant', text: string): StoredMessage => ({
  id,
  role,
  parts: [{ type: 'text', text }],
})

test('the history of a queued message contains the messages of the request, messages stored since then, and itself', () => {
  const system: RequestMessage = { id: 's', role: 'system', content: 'Be brief.' }
  const [u1, u2, q1] = [
    createMessage('u1', 'user', 'one'),
    createMessage('u2', 'user', 'two'),
    createMessage('q1', 'user', 'three'),
  ]
  const partial = createMessage('a2', 'assistant', 'half an ans')
  const complete = createMessage('a2', 'assistant', 'half an answer')
  const removed = createMessage('q0', 'user', 'never mind')
  const history = historyAtTurn({
    sent: [system, u1, u2, partial, removed],
    since: [u2, complete],
    queued: new Set(['q0', 'q1']),
    message: q1,
  })
  expect(history).toEqual([system, u1, u2, complete, q1])
})

test('a new text replaces all text parts of a message and keeps its files', () => {
  const file = { type: 'file', mediaType: 'image/png', url: 'https://files.test/a.png' }
  const message: StoredMessage = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'a' }, file] }
  expect(withText(message, 'b').parts).toEqual([{ type: 'text', text: 'b' }, file])
})

test('a message that joined a turn becomes a user message between two steps', () => {
  const message = createMessage('m', 'user', 'make it blue')
  const { type, id, data } = steerFrame({ id: 'queued_1', message }, { index: 0, step: 1 })
  const call = { type: 'tool-bash', toolCallId: 'c', state: 'output-available', input: {}, output: 'done' }
  const parts = [
    { type: 'step-start' },
    call,
    { type, id, data },
    { type: 'step-start' },
    { type: 'text', text: 'Blue.' },
  ]
  const prompt = toPrompt([{ role: 'assistant', parts }])
  expect(prompt.map(({ role }) => role)).toEqual(['assistant', 'tool', 'user', 'assistant'])
  expect(prompt[2]?.content).toEqual([{ type: 'text', text: 'make it blue' }])
  const invalidParts = [{ type: 'data-steer', data: { parts: ['x', { type: 1 }] } }]
  expect(toPrompt([{ role: 'assistant', parts: invalidParts }])).toEqual([])
})
