import { parseCommitMessage, fallbackMessage, messageInstructions } from '../../domain/repositories/commits.ts'
import type { ModelPort } from '../../providers/model/index.ts'

const maxOutputTokens = 200
const maxCharacters = 2000

/**
 * Returns a commit message from one call of the small model, or the default message if the model fails or returns no usable
 * one.
 */
export async function generateMessage(
  models: ModelPort,
  call: { modelId: string; idempotencyKey: string; stagedDiff: string },
  signal: AbortSignal,
): Promise<string> {
  const { modelId, idempotencyKey, stagedDiff } = call
  let text = ''
  try {
    const parts = models.stream(
      {
        modelId,
        idempotencyKey,
        prompt: [
          { role: 'system', content: messageInstructions },
          { role: 'user', content: [{ type: 'text', text: stagedDiff }] },
        ],
        tools: [],
        maxOutputTokens,
      },
      signal,
    )
    for await (const part of parts) {
      if (part.type === 'text-delta') text += part.delta
      if (text.length > maxCharacters) break
    }
  } catch {
    return fallbackMessage
  }
  return parseCommitMessage(text)
}
