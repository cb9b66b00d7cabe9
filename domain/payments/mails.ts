/** Returns the email about a declined automatic top-up. */
export function autoTopUpStopped(reason: string, billingUrl: string): { subject: string; markdown: string } {
  return {
    subject: 'Automatic top-up was disabled',
    markdown: [
      `An automatic top-up of your credits could not be paid: ${reason}.`,
      'Automatic top-up is disabled. Your agents continue until the credits are used up.',
      `To enable it again, save another card: <${billingUrl}>`,
    ].join('\n\n'),
  }
}
