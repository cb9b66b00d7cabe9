import OpenAI from 'openai'

export type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam
export type Answer = { text: string; calls: { id: string; name: string }[] }

const client = new OpenAI({ baseURL: process.env['MODEL_URL'], apiKey: 'none', maxRetries: 0 })

/** Calls the model once. Each piece of the text is passed to `onText` before the next piece is read. */
export async function callModel(messages: Message[], onText: (text: string) => Promise<void>): Promise<Answer> {
  const answer: Answer = { text: '', calls: [] }
  for await (const { choices } of await client.chat.completions.create({ model: 'default', messages, stream: true })) {
    const delta = choices[0]?.delta
    for (const call of delta?.tool_calls ?? [])
      if (call.id !== undefined) answer.calls.push({ id: call.id, name: call.function?.name ?? '' })
    if (!delta?.content) continue
    answer.text += delta.content
    await onText(delta.content)
  }
  return answer
}

/** Returns the messages that the next model call receives after this answer. The tool needs no input. */
export function toMessages({ text, calls }: Answer): Message[] {
  return [
    {
      role: 'assistant',
      content: text,
      tool_calls: calls.map(({ id, name }) => ({ id, type: 'function', function: { name, arguments: '{}' } })),
    },
    ...calls.map(({ id }): Message => ({ role: 'tool', tool_call_id: id, content: 'done' })),
  ]
}
