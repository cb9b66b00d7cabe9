/** Removes trailing slashes, so that paths can be appended. */
export function withoutTrailingSlashes(address: string): string {
  return address.replace(/(?<!\/)\/+$/, '')
}
