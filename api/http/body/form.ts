import type { TakeBody } from './reader.ts'

const formType = /^application\/x-www-form-urlencoded(?:\s*;\s*charset\s*=\s*"?utf-?8"?)?\s*$/i

/** The fields of a form that a page has sent. */
export async function takeForm(takeBody: TakeBody, limit: number): Promise<URLSearchParams> {
  return new URLSearchParams((await takeBody({ limit, mediaType: formType }).whole()).toString())
}
