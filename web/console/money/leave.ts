/** Goes to a page of the payment provider, which sends people back. */
export function leaveFor(url: string): void {
  if (!/^https?:\/\//.test(url)) throw new Error('The payment provider answered an address that is none.')
  location.assign(url)
}
