import { codeHours } from './verification.ts'

export type MailText = { subject: string; markdown: string }

// Markdown markup, and characters that turn text into a link.
const activeCharacters = /[\\`*_[\]<>~|@]|:(?=\/\/)|(?<=www)\./gi

/** Escapes another account's text for Markdown. The result is one line without markup or links. */
export function inertText(text: string): string {
  return oneLine(text).replaceAll(activeCharacters, String.raw`\$&`)
}

export function codeMail(code: string): MailText {
  return {
    subject: 'Your verification code',
    markdown: [
      `Your verification code is **${code}**.`,
      `It works once, within ${codeHours} hours. If you did not request it, ignore this email: nothing happens without the code.`,
    ].join('\n\n'),
  }
}

// Texts that email clients turn into links: addresses, host names, schemes.
const linkable = /[@\uFF20/\uFF0F\\]|:\S|[.\u3002\uFF0E\uFF61][^\s.\u3002\uFF0E\uFF61]/u

/** Returns the invitation email. It omits a name that an email client could turn into a link. */
export function invitationMail(organizationName?: string): MailText {
  const name = organizationName !== undefined && isPlainName(organizationName) ? organizationName : undefined
  return {
    subject: name === undefined ? 'Invitation to an organization' : `Invitation to ${oneLine(name)}`,
    markdown: [
      name === undefined
        ? 'You are invited to become a member of an organization. Sign in with this address to see which one.'
        : `You are invited to become a member of **${inertText(name)}**.`,
      'Members can act for each other. Sign in with this address to accept; if you do nothing, nothing changes.',
    ].join('\n\n'),
  }
}

export function welcomeMail(): MailText {
  return {
    subject: 'Welcome',
    markdown: [
      'Your account is ready and has initial credits.',
      'Create an API key, open a session and send the first message. The agent works in its own sandbox and continues if you disconnect.',
    ].join('\n\n'),
  }
}

export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
}

/** Returns whether no email client turns the name into a link. */
export function isPlainName(name: string): boolean {
  return !linkable.test(oneLine(name))
}
