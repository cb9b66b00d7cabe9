/** An address as others are put together from it: without slashes at its end. */
export function withoutTrailingSlashes(address: string): string {
  return address.replace(/(?<!\/)\/+$/, '')
}
