import { expect, test } from 'vitest'
import type { RequestMessage, StoredMessage } from '../../../domain/chat/messages.ts'
import { toPrompt } from '../../../domain/chat/prompt/prompt.ts'
import { historyAtTurn, steerFrame, withText } from '../../../domain/chat/queue.ts'

const says = (id: string, role: 'user' | 'assistant', text: string): StoredMessage => ({
  id,
  role,
  parts: [{ type: 'text', text }],
})

test('the history of a message that waited is what was sent, what the chat took in since, and the message', () => {
  const system: RequestMessage = { id: 's', role: 'system', content: 'Be brief.' }
  const [u1, u2, q1] = [says('u1', 'user', 'one'), says('u2', 'user', 'two'), says('q1', 'user', 'three')]
  const partial = says('a2', 'assistant', 'half an ans')
  const whole = says('a2', 'assistant', 'half an answer')
  const removed = says('q0', 'user', 'never mind')
  const history = historyAtTurn({
    sent: [system, u1, u2, partial, removed],
    since: [u2, whole],
    queued: new Set(['q0', 'q1']),
    message: q1,
  })
  expect(history).toEqual([system, u1, u2, whole, q1])
})

test('other words take the place of all texts, and files stay', () => {
  const file = { type: 'file', mediaType: 'image/png', url: 'https://files.test/a.png' }
  const message: StoredMessage = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'a' }, file] }
  expect(withText(message, 'b').parts).toEqual([{ type: 'text', text: 'b' }, file])
})

test('a message that joined a turn is the user speaking between two steps', () => {
  const message = says('m', 'user', 'make it blue')
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
  const odd = [{ type: 'data-steer', data: { parts: ['x', { type: 1 }] } }]
  expect(toPrompt([{ role: 'assistant', parts: odd }])).toEqual([])
})
