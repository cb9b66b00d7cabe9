const reasons: Readonly<Record<string, string>> = {
  '550': 'its server knows no such mailbox or does not accept mail for it (550)',
  '551': 'its server does not accept mail for this address (551)',
  '552': 'the mailbox is full or the message is larger than its server accepts (552)',
  '553': 'its server does not accept the address (553)',
  '554': 'its server rejected the message (554)',
}

/**
 * Describes why a mail server rejected an email, by its reply code (RFC 5321). Returns undefined for a code without meaning
 * for the sender.
 */
export function describeRefusal(code: string | undefined): string | undefined {
  return code === undefined ? undefined : reasons[code]
}
