import type { TakeBody } from './reader.ts'

/** Reads the fields of a submitted form. */
export async function takeForm(takeBody: TakeBody, limit: number): Promise<URLSearchParams> {
  return new URLSearchParams((await takeBody({ limit }).whole()).toString())
}
