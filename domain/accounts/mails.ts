import { codeHours } from './verification.ts'

export type MailText = { subject: string; markdown: string }

// Markdown marks, and characters that turn text into a link.
const active = /[\\`*_[\]<>~|@]|:(?=\/\/)|(?<=www)\./gi

/** Escapes text of another account for Markdown: one line without mark-up or links. */
export function inertText(text: string): string {
  return oneLine(text).replaceAll(active, String.raw`\$&`)
}

export function codeMail(code: string): MailText {
  return {
    subject: 'Your verification code',
    markdown: [
      `Your verification code is **${code}**.`,
      `It works once, within ${codeHours} hours. If you did not ask for it, ignore this mail: nothing happens without the code.`,
    ].join('\n\n'),
  }
}

// Texts that mail programs turn into links: addresses, host names, schemes.
const linkable = /[@\uFF20/\uFF0F\\]|:\S|[.\u3002\uFF0E\uFF61][^\s.\u3002\uFF0E\uFF61]/u

/** Without a name, or with one that could become a link, the text is the same for every organization. */
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
      'Your account is ready, with credits to begin with.',
      'Make an API key, open a session and send the first message: the agent works in its own sandbox and continues when you disconnect.',
    ].join('\n\n'),
  }
}

export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
}

/** True for a name that no program turns into a link. */
export function isPlainName(name: string): boolean {
  return !linkable.test(oneLine(name))
}
