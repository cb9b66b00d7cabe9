/** Mail about a declined automatic top-up, sent once. */
export function autoTopUpStopped(reason: string, billingUrl: string): { subject: string; markdown: string } {
  return {
    subject: 'Automatic top-up was switched off',
    markdown: [
      `An automatic top-up of your credits could not be paid: ${reason}.`,
      'Automatic top-up is disabled. Your agents continue until the credits are used up.',
      `Put another card on file and switch it on again: <${billingUrl}>`,
    ].join('\n\n'),
  }
}
