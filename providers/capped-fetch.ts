const maxBytes = 10 * 1024 * 1024

/** A `fetch` whose response bodies fail above 10 MiB. It rejects redirects, so that the key is sent to one host only. */
export async function cappedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers)
  // The dispatcher computes the length, and some dispatchers reject an explicit value.
  headers.delete('content-length')
  const response = await fetch(input, { ...init, headers, redirect: 'error' })
  if (response.body === null) return response
  let size = 0
  const limiter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      size += chunk.length
      if (size > maxBytes) controller.error(new Error('the response is too long'))
      else controller.enqueue(chunk)
    },
  })
  const { status, statusText } = response
  return new Response(response.body.pipeThrough(limiter), { status, statusText, headers: response.headers })
}
