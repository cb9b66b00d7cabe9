import type { TakeBody } from './reader.ts'

/** The fields of a form that a page has sent. */
export async function takeForm(takeBody: TakeBody, limit: number): Promise<URLSearchParams> {
  return new URLSearchParams((await takeBody({ limit }).whole()).toString())
}
