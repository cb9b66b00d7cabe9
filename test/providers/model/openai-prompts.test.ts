import type { LanguageModelV3Prompt, LanguageModelV3ToolCallPart, SharedV3ProviderOptions } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import type { ModelCall, ModelPort } from '../../../providers/model/index.ts'
import { server, model, createTestModel, bash, createCall, collect, serveFakeModel } from './openai-server.ts'

serveFakeModel()

const sendAndRead = async (prompt: ModelCall['prompt'], port: ModelPort = model): Promise<unknown> => {
  server.next({ text: 'ok' })
  await collect(port, createCall('', { prompt, tools: [bash] }))
  return server.requests.at(-1)?.body.messages
}

describe('a conversation sent to a vendor', () => {
  it('contains the system prompt, files, tool calls, results and errors', async () => {
    expect(
      await sendAndRead([
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'See' },
            { type: 'file', mediaType: 'image/png', data: 'aGk=' },
            { type: 'file', mediaType: 'image/png', data: new URL('https://example.com/a.png') },
            { type: 'file', mediaType: 'application/pdf', data: 'aGk=', filename: 'a.pdf' },
            { type: 'file', mediaType: 'text/plain', data: 'aGk=', filename: 'a.txt' },
            { type: 'file', mediaType: 'audio/wav', data: new Uint8Array([104, 105]) },
            { type: 'file', mediaType: 'application/zip', data: new URL('https://example.com/a.zip') },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool-call', toolCallId: 'call_1', toolName: 'bash', input: { command: 'ls' } },
            { type: 'tool-call', toolCallId: 'call_2', toolName: 'read', input: {} },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'call_1',
              toolName: 'bash',
              output: { type: 'json', value: { ok: true } },
            },
            {
              type: 'tool-result',
              toolCallId: 'call_2',
              toolName: 'read',
              output: { type: 'error-text', value: 'gone' },
            },
          ],
        },
      ]),
    ).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,aGk=' } },
          { type: 'text', text: 'a.txt:\nhi' },
          { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } },
          { type: 'text', text: '[file](https://example.com/a.zip)' },
        ],
      },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } },
          { id: 'call_2', type: 'function', function: { name: 'read', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '{"ok":true}' },
      { role: 'tool', tool_call_id: 'call_2', content: 'gone' },
    ])
  })

  it('returns reasoning without tool calls in its original field during the turn, but not in later turns', async () => {
    const reasoning = {
      role: 'assistant' as const,
      content: [
        { type: 'reasoning' as const, text: 'Hm', providerOptions: { test: { reasoningField: 'reasoning' } } },
        { type: 'text' as const, text: 'Yes' },
      ],
    }
    const user = { role: 'user' as const, content: [{ type: 'text' as const, text: 'Go' }] }
    expect(await sendAndRead([user, reasoning, user, reasoning])).toEqual([
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: 'Yes' },
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: 'Yes', reasoning: 'Hm' },
    ])
  })

  it('returns reasoning of earlier turns only to its own vendor, and only with its tool calls or a signature', async () => {
    const stored = { vendor: 'maker', reasoningField: 'reasoning_content' }
    const turn = (
      own: SharedV3ProviderOptions[string],
      extra: Partial<LanguageModelV3ToolCallPart> = {},
    ): LanguageModelV3Prompt => [
      { role: 'user' as const, content: [{ type: 'text' as const, text: 'Go' }] },
      {
        role: 'assistant' as const,
        content: [
          { type: 'reasoning' as const, text: 'Hm', providerOptions: { test: own } },
          { type: 'text' as const, text: 'Yes' },
          ...('toolCallId' in extra ? [{ ...call, ...extra }] : []),
        ],
      },
    ]
    const call = { type: 'tool-call' as const, toolCallId: 'c', toolName: 'bash', input: {} }
    const signed = { detailsField: 'reasoning_details', details: [{ type: 'reasoning.text', signature: 'sig' }] }
    const extra = { google: { thought_signature: 'sig' } }
    const callOptions = { toolCallId: 'c', providerOptions: { test: { vendor: 'maker', extra } } }
    const prompt = [
      ...turn(stored),
      ...turn(stored, callOptions),
      ...turn({ ...stored, ...signed }),
      ...turn({ ...stored, ...signed, vendor: 'another' }, { ...callOptions, providerOptions: { other: { extra } } }),
      ...turn({ ...stored, reasoningField: 'content' }, { toolCallId: 'c' }),
    ]
    const messages = await sendAndRead([...prompt, ...turn(stored).slice(0, 1)], createTestModel({ vendor: 'maker' }))
    const wireCall = { id: 'c', type: 'function', function: { name: 'bash', arguments: '{}' } }
    const yes = { role: 'assistant', content: 'Yes' }
    expect((messages as { role: string }[]).filter(({ role }) => role === 'assistant')).toEqual([
      yes,
      { ...yes, reasoning_content: 'Hm', tool_calls: [{ ...wireCall, extra_content: extra }] },
      { ...yes, reasoning_details: signed.details },
      { ...yes, tool_calls: [wireCall] },
      {
        ...yes,
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
          { type: 'text', text: 'Yes' },
        ],
        tool_calls: [wireCall],
      },
    ])
  })

  it('marks the last tool and the last message for prompt caches that require it', async () => {
    const cachingModel = createTestModel({ cacheMarks: true })
    const messages = await sendAndRead([{ role: 'user', content: [{ type: 'text', text: 'Go' }] }], cachingModel)
    const mark = { cache_control: { type: 'ephemeral' } }
    expect(messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Go', ...mark }] }])
    expect(server.requests.at(-1)?.body.tools).toEqual([expect.objectContaining(mark)])
    await cachingModel.close()
  })
})
