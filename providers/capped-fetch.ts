const maxBytes = 10 * 1024 * 1024

/** A `fetch` whose responses fail above the limit. It does not follow redirects, so that the key is sent to one host only. */
export async function cappedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const sent = new Headers(init?.headers)
  // The length follows from the body, and some dispatchers refuse an explicit value.
  sent.delete('content-length')
  const answer = await fetch(input, { ...init, headers: sent, redirect: 'error' })
  if (answer.body === null) return answer
  let size = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      size += chunk.length
      if (size > maxBytes) controller.error(new Error('the answer is too long'))
      else controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = answer
  return new Response(answer.body.pipeThrough(counting), { status, statusText, headers })
}
