/** Opens a page of the payment provider in place of this one. The provider redirects back afterwards. */
export function openProviderPage(url: string): void {
  if (!/^https?:\/\//.test(url)) throw new Error('The payment provider returned an invalid address.')
  location.assign(url)
}
