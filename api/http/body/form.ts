import type { ReadBody } from './reader.ts'

/** Reads the fields of a submitted form. */
export async function readForm(readBody: ReadBody, limit: number): Promise<URLSearchParams> {
  return new URLSearchParams((await readBody({ limit }).buffer()).toString())
}
