import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { BriefInput, prepareBrief } from '../../../domain/site/tools/brief.ts'
import { countCodePoints, sliceCodePoints } from '../../../domain/site/search/characters.ts'
import { readCursor, writeCursor } from '../../../domain/site/search/cursor.ts'
import { assessReadiness, questions, ReadinessInput } from '../../../domain/site/tools/readiness.ts'
import { estimateRoi, RoiInput } from '../../../domain/site/tools/roi.ts'

test.each([
  [
    [100, 60, 40, 500, 6000],
    [40, 2400, 1900, 16800, 3.1578947368421053],
  ],
  [
    [10, 20, 50, 200, 1000],
    [5, 100, -100, -2200, null],
  ],
  [
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, null],
  ],
  [
    [80, 45, 25, 0, 0],
    [20, 900, 900, 10800, 0],
  ],
  [
    [33.3, 10, 10, 0, 100],
    [3.33, 33.3, 33.3, 299.59999999999997, 3.0030030030030033],
  ],
  [
    [1e-320, 1, 100, 0, 10000000],
    [1e-320, 1e-320, 1e-320, -10000000, null],
  ],
])('the inputs %j have the results %j', (inputs, results) => {
  const names = Object.keys(RoiInput.shape)
  const input = RoiInput.parse(Object.fromEntries(names.map((name, at) => [name, inputs[at]])))
  const { result, units } = estimateRoi(input)
  expect(Object.values(result)).toStrictEqual(results)
  expect(Object.keys(units)).toStrictEqual([...names, ...Object.keys(result)])
})

test.each(['1', null, Number.POSITIVE_INFINITY, -1, 100_001])('%j hours are rejected', (monthlyHours) => {
  const rest = { hourlyCost: 0, timeReduction: 0, monthlySystemCost: 0, setupCost: 0 }
  expect(RoiInput.safeParse({ ...rest, monthlyHours }).success).toBe(false)
})

const listAnswerSets = (): Record<string, string>[] => {
  let sets: Record<string, string>[] = [{}]
  for (const [id, answers] of Object.entries(questions))
    sets = sets.flatMap((set) => answers.map((answer) => ({ ...set, [id]: answer })))
  return sets
}

/** Rows of the decision table: a recommendation with the accepted answer numbers of the questions in `gates`. */
const rows: [string, ...(readonly number[])[]][] = [
  ['Map the information first', [2, 3], [1, 2, 3], [1, 2, 3, 4], [1, 2, 3], [1, 2, 3]],
  ['Map the information first', [1], [3], [1, 2, 3, 4], [1, 2, 3], [1, 2, 3]],
  ['Make one task specific', [1], [1, 2], [4], [1, 2, 3], [1, 2, 3]],
  ['Make one task specific', [1], [1, 2], [1, 2, 3], [3], [1, 2, 3]],
  ['Name and train an owner', [1], [1, 2], [1, 2, 3], [1, 2], [2, 3]],
  ['Scope a small first build', [1], [1, 2], [1, 2, 3], [1, 2], [1]],
]
const gates = ['access', 'information', 'workflow', 'method', 'owner'] as const

test('all 3,888 answer sets follow the decision table', () => {
  const counts = rows.map(() => 0)
  for (const set of listAnswerSets()) {
    const { answers } = ReadinessInput.parse({ answers: set })
    const answerNumbers = gates.map((gate) => questions[gate].indexOf(answers[gate] as never) + 1)
    const row = rows.findIndex(([, ...accepted]) =>
      accepted.every((numbers, at) => numbers.includes(answerNumbers[at] ?? 0)),
    )
    counts[row] = (counts[row] ?? 0) + 1
    const body = assessReadiness({ answers })
    expect(body.recommendation.title).toBe(rows[row]?.[0])
    expect(body.recommendation.steps).toHaveLength(3)
    expect(body.answers).toStrictEqual(set)
  }
  expect(counts).toStrictEqual([2592, 432, 216, 216, 288, 144])
})

test('a brief contains the trimmed sections of the request', () => {
  const sent = {
    workflow: ' Monthly royalty report from three portals',
    desiredOutcome: 'One checked sheet by the 5th ',
  }
  expect(prepareBrief(BriefInput.parse(sent))).toStrictEqual({
    status: 'draft',
    draft: {
      interest: 'Not sure yet',
      message: 'Workflow\nMonthly royalty report from three portals\n\nDesired outcome\nOne checked sheet by the 5th',
    },
    submitted: false,
    nextStep: '/contact',
  })
})

test.each([
  ['a workflow of 19 characters after trimming', { workflow: ` ${'x'.repeat(19)} ` }],
  ['a workflow of 501 characters', { workflow: 'x'.repeat(501) }],
  ['a blank option', { tools: ' ' }],
  ['an interest that is null', { interest: null }],
  ['a frequency of 121 characters', { frequency: 'x'.repeat(121) }],
])('a brief with %s is rejected', (_, change) => {
  const sent = { workflow: 'x'.repeat(20), desiredOutcome: 'y'.repeat(10), ...change }
  expect(BriefInput.safeParse(sent).success).toBe(false)
})

test('lengths and slices count code points', () => {
  const text = 'a🎵b\ud83cc🎵'
  expect(countCodePoints(text)).toBe(6)
  for (const size of [1, 2, 5, 6, 7]) {
    const parts: string[] = []
    for (let at = 0; at < 6; at += size) parts.push(sliceCodePoints(text, at, at + size))
    expect(parts.join('')).toBe(text)
  }
  expect(sliceCodePoints(text, 6, 12)).toBe('')
})

const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest()
const scope = { type: 'docs', query: '  Royalty   Statements ', contentVersion: '3f9a1c0b7e24', digest }

test('a cursor has the documented format', () => {
  expect(writeCursor(scope, 5)).toBe('AT-aHAt-JIR81nDB8pZqAAAF')
  expect(readCursor({ ...scope, query: 'royalty statements' }, 'AT-aHAt-JIR81nDB8pZqAAAF')).toBe(5)
})

test.each([
  ['another type', { type: 'all' }, 'AT-aHAt-JIR81nDB8pZqAAAF'],
  ['another query', { query: 'royalty' }, 'AT-aHAt-JIR81nDB8pZqAAAF'],
  ['another content version', { contentVersion: '3f9a1c0b7e25' }, 'AT-aHAt-JIR81nDB8pZqAAAF'],
  ['a wrong length', {}, '5'],
  ['another format version', {}, 'AD-aHAt-JIR81nDB8pZqAAAF'],
])('a cursor with %s is rejected', (_, change, cursor) => {
  expect(() => readCursor({ ...scope, ...change }, cursor)).toThrow(expect.objectContaining({ code: 'INVALID_CURSOR' }))
})
