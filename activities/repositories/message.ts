import { parseCommitMessage, fallbackMessage, messageInstructions } from '../../domain/repositories/commits.ts'
import type { ModelPort } from '../../providers/model/index.ts'

const maxOutputTokens = 200
const maxCharacters = 2000

/**
 * Calls the small model once. If the model fails or returns no usable message, the commit goes ahead with a default
 * message.
 */
export async function generateMessage(
  models: ModelPort,
  call: { modelId: string; idempotencyKey: string; stagedDiff: string },
  signal: AbortSignal,
): Promise<string> {
  const { modelId, idempotencyKey, stagedDiff } = call
  let answer = ''
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
      if (part.type === 'text-delta') answer += part.delta
      if (answer.length > maxCharacters) break
    }
  } catch {
    return fallbackMessage
  }
  return parseCommitMessage(answer)
}
