import { inertText, isPlainName, oneLine, type MailText } from '../accounts/mails.ts'

/** Returns the email to a new collaborator. It omits a name that an email client could turn into a link. */
export function projectMail(name: string): MailText {
  const showsName = isPlainName(name)
  return {
    subject: showsName ? `You collaborate on ${oneLine(name)}` : 'You collaborate on a project',
    markdown: [
      showsName ? `You can work on the project **${inertText(name)}**.` : 'You can work on a project.',
      'Sign in with this address to see its tasks. Nothing else changes.',
    ].join('\n\n'),
  }
}
