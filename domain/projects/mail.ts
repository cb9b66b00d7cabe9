import { inertText, isPlainName, oneLine, type MailText } from '../accounts/mails.ts'

/** A name that a mail program would make a link of is left out: whoever adds somebody chooses it. */
export function projectMail(name: string): MailText {
  const isShown = isPlainName(name)
  return {
    subject: isShown ? `You collaborate on ${oneLine(name)}` : 'You collaborate on a project',
    markdown: [
      isShown ? `You can work on the project **${inertText(name)}**.` : 'You can work on a project.',
      'Sign in with this address to see its tasks. Nothing else changes.',
    ].join('\n\n'),
  }
}
