/** Opens a page of the payment provider in place of this one. The provider redirects back afterwards. */
export function openProviderPage(url: string): void {
  if (!/^https?:\/\//.test(url)) throw new Error('The payment provider returned an invalid address.')
  location.assign(url)
}

/**
 * Address to which a checkout returns: the receipt of what was bought. The API puts the id of the purchase in place of
 * `{PAYMENT_ID}`.
 */
export function receiptAddress(accountId: string, bought: 'credits' | 'starter' | 'pro'): string {
  const what = bought === 'credits' ? 'payment={PAYMENT_ID}' : `plan=${bought}`
  return `${location.origin}/console/receipt?${what}&account=${accountId}`
}
