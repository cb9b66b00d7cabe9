import type { oas31 } from 'zod-openapi'

const byFormat: Readonly<Record<string, string>> = {
  uuid: '7a7d753f-e3b3-47b1-b639-29158e242337',
  'date-time': '2026-11-02T09:00:00.000Z',
  date: '2026-11-02',
  email: 'ada@example.com',
  uri: 'https://example.com/page',
}

/** Example values by field name. */
const byName: Readonly<Record<string, string>> = {
  artist_name: 'Nova Quartet',
  batch_run_id: 'run_01M8CHCB6S2TB0V9HVAHVM0TV2',
  brand: 'visa',
  branch: 'main',
  contentType: 'text/plain',
  currentBranch: 'main',
  description: 'What happened this week.',
  error: 'What was wrong with the request',
  errors: 'What was wrong with the request',
  filename: 'week.md',
  finishReason: 'stop',
  funding: 'credit',
  isrc: 'USRC17607839',
  key: 'key_…',
  last4: '4242',
  lyrics: 'Harbor lights, carry me home',
  mediaType: 'text/plain',
  message: 'What happened, in one sentence',
  mimetype: 'text/plain',
  model: 'local/assistant',
  modelId: 'local/assistant',
  name: 'Nova Quartet',
  path: 'notes/week.md',
  profile_url: 'https://instagram.com/novaquartet',
  prompt: 'Summarize the streams of this week.',
  rawFinishReason: 'stop',
  runId: 'run_01M8CHCB6S2TB0V9HVAHVM0TV2',
  schedule: '0 9 * * 1',
  selectedModelId: 'local/assistant',
  sha: '9fceb02d0ae598e95dc970b74767f19372d61af8',
  tags: 'weekly',
  text: 'Streams are up.',
  taskIdentifier: 'setup-sandbox',
  timezone: 'Europe/Berlin',
  title: 'Weekly report',
  toolCallId: 'call_1',
  total_usd: '12.50',
  url: 'https://example.com/page',
  ttl: '10m',
  usd: '12.50',
  version: '0.2.0',
}

/** Example values by suffix of the field name. */
const byEnding: readonly [ending: RegExp, text: string][] = [
  [/(^|_)emails?$/, 'ada@example.com'],
  [/(^id|_id|Id)s?$/, byFormat['uuid'] ?? ''],
  [/(^|_)url$|Url$/, byFormat['uri'] ?? ''],
]

/** Example values by schema pattern. */
const byPattern: Readonly<Record<string, string>> = {
  '^[0-9]{1,16}$': '1',
  '^[^/\\s]+\\/[^/\\s]+$': 'owner/name',
}

/** Returns an example text for a field that its schema allows. */
export function exampleText(name: string, schema: oas31.SchemaObject): string {
  const { format = '', pattern = '', minLength = 0, maxLength = Infinity } = schema
  const endingExample = byEnding.find(([ending]) => ending.test(name))?.[1]
  const example = [byFormat[format], byPattern[pattern], byName[name], endingExample, 'text'].find(
    (text) => text !== undefined && text.length >= minLength && text.length <= maxLength,
  )
  return example ?? 'text'.padEnd(minLength, '.').slice(0, schema.maxLength)
}
