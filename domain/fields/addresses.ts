/** An address as others are put together from it: without slashes at its end. */
export const withoutTrailingSlashes = (address: string): string => address.replace(/(?<!\/)\/+$/, '')
