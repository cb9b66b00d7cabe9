import { parseCommitMessage, fallbackMessage, messageInstructions } from '../../domain/repositories/commits.ts'
import type { ModelCall, ModelPort } from '../../providers/model/index.ts'
import { readModelText } from '../runtime/model-text.ts'

const maxOutputTokens = 200
const maxCharacters = 2000

/**
 * Returns a commit message from one call of the small model, or the default message if the model fails or returns no usable
 * message.
 */
export async function generateMessage(
  models: ModelPort,
  call: { modelId: string; idempotencyKey: string; stagedDiff: string },
  signal: AbortSignal,
): Promise<string> {
  const { modelId, idempotencyKey, stagedDiff } = call
  const modelCall: ModelCall = {
    modelId,
    idempotencyKey,
    prompt: [
      { role: 'system', content: messageInstructions },
      { role: 'user', content: [{ type: 'text', text: stagedDiff }] },
    ],
    tools: [],
    maxOutputTokens,
  }
  try {
    return parseCommitMessage(await readModelText(models, modelCall, { signal, maxCharacters }))
  } catch {
    return fallbackMessage
  }
}
