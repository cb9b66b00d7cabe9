import { expect, test } from 'vitest'
import { readMessage } from '../../providers/mail/read-message.ts'

const attached = ['From: eve@example.com', 'Subject: Attached', 'Content-Type: text/plain', '', 'An attached text', '']

const message = [
  'From: Ada <ada@example.com>',
  'Subject: Forwarded',
  'Content-Type: multipart/mixed; boundary=part',
  '',
  '--part',
  'Content-Type: text/plain',
  '',
  'See the attachment.',
  '--part',
  'Content-Type: message/rfc822',
  '',
  ...attached,
  '--part--',
  '',
].join('\r\n')

test('the text of a message does not contain the text of an attached message', async () => {
  const { from, subject, text } = await readMessage(Buffer.from(message))
  expect([from, subject, text.trim()]).toEqual(['Ada <ada@example.com>', 'Forwarded', 'See the attachment.'])
})
