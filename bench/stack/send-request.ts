import type { Account, Stack } from './stack.ts'

/** Sends a request of an account, as a POST if there is a body. Returns the JSON. Throws if the status is not 2xx. */
export async function sendRequest<T>(stack: Stack, { key }: Account, path: string, body?: object): Promise<T> {
  const response = await fetch(stack.baseUrl + path, {
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}
