import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { DurableAgent } from '@workflow/ai/agent'
import type { UIMessageChunk } from 'ai'
import { getWritable } from 'workflow'
import { z } from 'zod'

// Follows the guide: https://useworkflow.dev/docs/ai
async function openModel() {
  'use step'
  return createOpenAICompatible({ name: 'custom', baseURL: process.env['MODEL_URL'] ?? '' })('default')
}

export async function answerTurn(message: string): Promise<void> {
  'use workflow'
  const agent = new DurableAgent({
    model: openModel,
    tools: { none: { description: 'Needs nothing.', inputSchema: z.object({}), execute: async () => 'done' } },
  })
  await agent.stream({
    messages: [{ role: 'user', content: message }],
    writable: getWritable<UIMessageChunk>(),
    maxSteps: 100,
  })
}
