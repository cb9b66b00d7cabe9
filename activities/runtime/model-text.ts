import type { ModelCall, ModelPort } from '../../providers/model/index.ts'

/** Returns the text of one model call. A text of more than `maxCharacters` is truncated there, and the call is aborted. */
export async function readModelText(
  models: Pick<ModelPort, 'stream'>,
  call: ModelCall,
  { signal, maxCharacters }: { signal: AbortSignal; maxCharacters: number },
): Promise<string> {
  const enough = new AbortController()
  let text = ''
  try {
    await models.stream(call, AbortSignal.any([signal, enough.signal]), (part) => {
      if (part.type === 'text-delta') text += part.delta
      if (text.length > maxCharacters) enough.abort()
      return undefined
    })
  } catch (error) {
    if (!enough.signal.aborted) throw error
  }
  return text.slice(0, maxCharacters)
}
