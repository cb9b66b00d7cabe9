import { expect, it } from 'vitest'
import { ChunkReader } from '../../../providers/model/openai/chunks.ts'

const chunk = (index: number) => ({
  choices: [{ delta: { tool_calls: [{ index, function: { arguments: 'x'.repeat(1024) } }] } }],
})

it('arguments of calls without a name are output from 64 KB on, so that the limit of output sees them', () => {
  const reader = new ChunkReader('test', () => {})
  let seen = 0
  for (let at = 0; at < 300; at += 1)
    for (const part of reader.read(chunk(at % 3))) if (part.type === 'tool-input-delta') seen += part.delta.length
  expect(seen).toBeGreaterThan(230 * 1024)
  const starts = reader.end().filter(({ type }) => type === 'tool-input-start')
  expect(starts).toEqual([])
})
