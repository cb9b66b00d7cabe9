/** Opens a page of the payment provider in this tab. The provider redirects back afterwards. */
export function openProviderPage(url: string): void {
  if (!/^https?:\/\//.test(url)) throw new Error('The payment provider returned an invalid URL.')
  location.assign(url)
}

/**
 * Builds the URL of the receipt, to which a checkout redirects. The API replaces `{PAYMENT_ID}` with the id of the
 * purchase.
 */
export function buildReceiptUrl(accountId: string, product: 'credits' | 'starter' | 'pro'): string {
  const query = product === 'credits' ? 'payment={PAYMENT_ID}' : `plan=${product}`
  return `${location.origin}/console/receipt?${query}&account=${accountId}`
}
