/** Mail about a declined automatic top-up, sent once. */
export function autoTopUpStopped(reason: string, billingUrl: string): { subject: string; markdown: string } {
  return {
    subject: 'Automatic top-up was switched off',
    markdown: [
      `An automatic top-up of your credits could not be paid: ${reason}.`,
      'No further one is tried. Your agents go on while credits are left.',
      `Put another card on file and switch it on again: <${billingUrl}>`,
    ].join('\n\n'),
  }
}
