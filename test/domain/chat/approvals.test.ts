import { expect, test } from 'vitest'
import { approvalAnswer, needsApproval } from '../../../domain/chat/approvals.ts'

const bash = (command: string) => ({ toolName: 'bash', input: { command } })

test.each([
  ['git push', 'cd site &&  git\n push origin main', true],
  ['git push', 'git pull', false],
  ['git*--force', 'git push origin --force', true],
  ['git*--force', '--force git', false],
  ['rm ', 'alarm clock', true],
  [' rm ', 'alarm clock', false],
  ['*', '', true],
])('the pattern %j matches %j: %s', (pattern, command, expected) => {
  expect(needsApproval({ tools: [], commands: [pattern] }, bash(command))).toBe(expected)
})

test.each([
  ['bash', 'bash', true],
  ['bash', 'bashful', false],
  ['mail_*', 'mail_send', true],
  ['mail_*', 'my_mail_send', false],
  ['a*b*a', 'aba', true],
  ['a*a', 'a', false],
])('the name %j matches the tool %j: %s', (name, toolName, matches) => {
  expect(needsApproval({ tools: [name], commands: [] }, { toolName, input: {} })).toBe(matches)
})

test('an answer must have the id of its request and a boolean, and false is a denial', () => {
  const open = { type: 'tool-bash', toolCallId: 'c', state: 'approval-requested', input: {}, approval: { id: 'a' } }
  const answerWith = (approval: object) => [{ ...open, state: 'approval-responded', input: { command: 'x' }, approval }]
  expect(approvalAnswer(open, answerWith({ id: 'b', approved: true }))).toBeUndefined()
  expect(approvalAnswer(open, answerWith({ id: 'a', approved: 'yes' }))).toBeUndefined()
  const granted = approvalAnswer(open, answerWith({ id: 'a', approved: true, reason: 'x'.repeat(3000) }))
  expect(granted).toMatchObject({ state: 'approval-responded', input: {} })
  expect(granted?.['approval']).toEqual({ id: 'a', approved: true, reason: 'x'.repeat(2000) })
  expect(approvalAnswer(open, answerWith({ id: 'a', approved: false }))?.['state']).toBe('output-denied')
})
