import type { ModelCall, ModelPort } from '../../providers/model/index.ts'

/** Returns the text of one model call. After `maxCharacters`, truncates the text and aborts the call. */
export async function readModelText(
  models: Pick<ModelPort, 'stream'>,
  call: ModelCall,
  { signal, maxCharacters }: { signal: AbortSignal; maxCharacters: number },
): Promise<string> {
  const limitReached = new AbortController()
  let text = ''
  try {
    await models.stream(call, AbortSignal.any([signal, limitReached.signal]), (part) => {
      if (part.type === 'text-delta') text += part.delta
      if (text.length > maxCharacters) limitReached.abort()
      return undefined
    })
  } catch (error) {
    if (!limitReached.signal.aborted) throw error
  }
  return text.slice(0, maxCharacters)
}
