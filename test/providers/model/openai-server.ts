import { afterAll, beforeAll, expect } from 'vitest'
import { ModelError, type ModelCall, type ModelPart, type ModelPort } from '../../../providers/model/index.ts'
import { createOpenAiModel } from '../../../providers/model/openai/openai.ts'
import { createFakeModel, type FakeResponse, type FakeModel } from '../../world/models/fake-model.ts'

export const secret = 'sk-very-secret-key'
export let server: FakeModel
export let model: ReturnType<typeof createOpenAiModel>

export const createTestModel = (options: { silenceTimeoutMs?: number; cacheMarks?: boolean; vendor?: string } = {}) =>
  createOpenAiModel({
    name: 'test',
    baseUrl: server.url,
    apiKey: secret,
    contextWindow: 100_000,
    modelName: (modelId) => modelId.slice(modelId.indexOf('/') + 1),
    silenceTimeoutMs: options.silenceTimeoutMs ?? 5000,
    cacheMarks: () => options.cacheMarks === true,
    vendor: () => options.vendor,
  })

export const bash = {
  type: 'function' as const,
  name: 'bash',
  description: 'Runs a command',
  inputSchema: { type: 'object' as const, properties: { command: { type: 'string' as const } } },
}
export const createCall = (text = 'Hi', overrides: Partial<ModelCall> = {}): ModelCall => ({
  modelId: 'custom/fake-1',
  prompt: [{ role: 'user', content: [{ type: 'text', text }] }],
  tools: [],
  ...overrides,
})

export const collect = async (
  port: ModelPort,
  request: ModelCall = createCall(),
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelPart[]> => {
  const parts: ModelPart[] = []
  await port.stream(request, signal, (part) => {
    parts.push(part)
    return undefined
  })
  return parts
}

export const callModel = (...responses: FakeResponse[]): Promise<ModelPart[]> => {
  server.next(...responses)
  return collect(model)
}

export const readError = async (work: Promise<unknown>): Promise<ModelError> => {
  const error: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(error instanceof ModelError)) throw new Error('the call did not fail with a ModelError', { cause: error })
  return error
}

export const joinText = (parts: ModelPart[]): string =>
  parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')
export const findFinish = (parts: ModelPart[]) => {
  const finishes = parts.filter((part) => part.type === 'finish')
  expect(finishes).toHaveLength(1)
  expect(parts.at(-1)).toBe(finishes[0])
  return finishes[0]
}
export const listCalls = (parts: ModelPart[]) =>
  parts.filter((part) => part.type === 'tool-call').map(({ toolName, input }) => ({ toolName, input }))

/** Starts the fake server and its adapter before the tests of a file, and ends them after. */
export const serveFakeModel = (): void => {
  beforeAll(async () => {
    server = await createFakeModel(0, { strict: false })
    model = createTestModel()
  })
  afterAll(async () => {
    await model.close()
    await server.close()
  })
}
