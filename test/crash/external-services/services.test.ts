import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../world/world.ts'
import { createExternalServices, type ExternalServices } from './services.ts'
import { deriveExpectation, findRound, parsePlan, plannedText, writePlan, type Plan } from './plan.ts'

const createEffect = (token: string) => ({ tool: 'effect' as const, token, beforeMs: 0, afterMs: 100 })
const plan: Plan = {
  id: 'p',
  wordsPerSecond: 200,
  rounds: [
    { words: 3, calls: [createEffect('first')], faults: [{ kind: 'cut', words: 2 }] },
    { words: 2, thoughts: 2, calls: [createEffect('second'), { tool: 'ask_user_question' }] },
    { words: 9, calls: [createEffect('third')] },
    { words: 4 },
  ],
}

let services: ExternalServices
beforeAll(async () => {
  services = await createExternalServices()
})
beforeEach(() => services.setMode('normal'))
afterAll(() => services.close())

const question = { role: 'user', content: writePlan(plan) }
const reply = { role: 'assistant', content: 'a round' }
const tool = { role: 'tool', content: 'its result' }

const sendRequest = async (key: string, messages: object[] = [question]) => {
  const response = await fetch(`${services.modelUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'idempotency-key': key },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'an older message' }, ...messages] }),
  })
  return { response, text: () => response.text().catch(() => 'broken') }
}

const joinContent = (sse: string): string =>
  [...sse.matchAll(/^data: (\{.*)$/gm)]
    .map(([, json]) => JSON.parse(json ?? '') as { choices: { delta: { content?: string } }[] })
    .map(({ choices }) => choices[0]?.delta.content ?? '')
    .join('')

const findRecord = (key: string) => services.requests.find((request) => request.idempotencyKey === key)
const untilClosed = (key: string) =>
  eventually(`the end of ${key}`, async () => (findRecord(key)?.closedAt === undefined ? undefined : findRecord(key)))

test('a notice of lost files does not hide the plan, whether it is a separate message or joined to the next one', () => {
  const notice = 'The machine of the sandbox was lost, which was detected at noon.'
  const older = { role: 'user', content: writePlan({ ...plan, id: 'older' }) }
  const lost = { role: 'user', content: notice }
  expect(findRound([older, reply, question, reply, tool, lost, reply, lost])).toEqual({ plan, roundIndex: 2 })
  const joined = { role: 'user', content: `${notice}\n\n${question.content}` }
  expect(findRound([older, reply, joined, reply])).toEqual({ plan, roundIndex: 1 })
})

test('a request for a summary has a text, whatever the plans that it quotes', () => {
  const silent = { ...plan, rounds: [{ words: 0, calls: [createEffect('first')] }] }
  const request = { role: 'user', content: `user:\n> ${writePlan(silent)}\nassistant:\n> a round` }
  const found = findRound([request])
  expect(found && plannedText(found.plan, found.roundIndex)).toMatch(/^summary\.0\.0 /)
})

test('a plan is parsed from its message and determines the result of each of its runs', () => {
  expect(parsePlan(writePlan(plan))).toEqual(plan)
  expect(parsePlan('something else')).toBeUndefined()
  expect(deriveExpectation(plan)).toEqual({
    text: plannedText(plan, 0) + plannedText(plan, 1),
    tokens: ['first', 'second'],
    next: 2,
  })
  expect(deriveExpectation(plan, 2)).toEqual({
    text: plannedText(plan, 2) + plannedText(plan, 3),
    tokens: ['third'],
    next: undefined,
  })
  const endless = { ...plan, rounds: [plan.rounds[0]!, { words: 1, faults: [{ kind: 'endless' as const, words: 0 }] }] }
  expect(deriveExpectation(endless)).toEqual({ text: undefined, tokens: ['first'], next: undefined })
})

test('the conversation determines the round, and the attempt in the key determines the fault', async () => {
  expect(await (await sendRequest('r:0:1')).text()).toBe('broken')
  expect((await untilClosed('r:0:1')).outcome).toBe('cut')
  const again = await (await sendRequest('r:0:2')).text()
  expect(joinContent(again)).toBe(plannedText(plan, 0))
  expect(again).toContain('effects.txt')
  expect((await untilClosed('r:0:2')).outcome).toBe('whole')
  const second = await (await sendRequest('r:1:1', [question, reply, tool])).text()
  expect(joinContent(second)).toBe(plannedText(plan, 1))
  expect(second).toContain('ask_user_question')
  const fourth = await (await sendRequest('r:3:1', [question, reply, tool, reply, tool, reply, tool])).text()
  expect(joinContent(fourth)).toBe(plannedText(plan, 3))
})

test('a fake vendor that rejects requests returns a status and Retry-After', async () => {
  services.setMode({ status: 429, retryAfterSeconds: 7 })
  const { response, text } = await sendRequest('refused:0:2')
  await text()
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7'])
  expect((await untilClosed('refused:0:2')).outcome).toBe('429')
})

test('a fake vendor that hangs responds when it recovers', async () => {
  services.setMode('hang')
  const pending = sendRequest('hung:0:2')
  await eventually('the request', async () => findRecord('hung:0:2'))
  expect(findRecord('hung:0:2')?.outcome).toBe('hang')
  services.setMode('normal')
  expect(joinContent(await (await pending).text())).toBe(plannedText(plan, 0))
})

test('a fake vendor that stalls pauses its responses', async () => {
  services.setMode('stall')
  const { text } = await sendRequest('stalled:0:2')
  expect(findRecord('stalled:0:2')?.closedAt).toBeUndefined()
  services.setMode('normal')
  expect(joinContent(await text())).toBe(plannedText(plan, 0))
})

test('a fake vendor that cuts connections or sends garbage breaks the responses in progress', async () => {
  for (const mode of ['cut', 'garbage'] as const) {
    services.setMode('stall')
    const { text } = await sendRequest(`${mode}:0:2`)
    services.setMode(mode)
    const received = await text()
    expect(received).toContain(mode === 'cut' ? 'broken' : '<html>')
    expect((await untilClosed(`${mode}:0:2`)).outcome).toBe(mode)
  }
})

test('a client that disconnects during a response is detected', async () => {
  services.setMode('stall')
  const { response } = await sendRequest('gone:0:2')
  await response.body?.cancel()
  expect((await untilClosed('gone:0:2')).outcome).toBe('aborted')
  expect(services.countOpenResponses()).toBe(0)
})
