import type { Random } from '../../world/random.ts'

/** A hostile response of a model server: its status, its bytes in pieces, and how it ends. */
export type FuzzedStream = {
  status: number
  contentType: string
  pieces: Buffer[]
  end: 'whole' | 'cut' | 'hang'
}

const randomText = (random: Random): string =>
  random.pick([
    'word ',
    'two words ',
    '',
    ' ',
    '\0',
    '\ud800',
    '\udc00 \ud83d',
    '\u202e\u200b\ufeff',
    'e\u0301'.repeat(20),
    '👩‍👩‍👧‍👦🏳️‍🌈',
    '\r\n\r\ndata: [DONE]\n\n',
    '{"type":"finish"}',
    '</script><!--',
    `'; drop table runs; --`,
    '__proto__',
    'x'.repeat(random.between(1, 4000)),
    '日本語'.repeat(random.between(1, 300)),
  ])

const randomNumber = (random: Random): number =>
  random.pick([
    0,
    -0,
    1,
    7,
    12.5,
    -1,
    -0.1,
    1e-300,
    2 ** 31,
    -(2 ** 31),
    2 ** 53,
    3e12,
    1e30,
    1e308,
    0.1 + 0.2,
    4_294_967_296,
  ])

const randomValue = (random: Random): unknown =>
  random.pick<() => unknown>([
    () => null,
    () => true,
    () => [],
    () => ({}),
    () => randomNumber(random),
    () => randomText(random),
    () => [randomText(random), null, randomNumber(random)],
    () => ({ [randomText(random)]: randomText(random), __proto__: null }),
  ])()

const count = (random: Random): unknown => (random.chance(0.5) ? random.between(0, 5000) : randomValue(random))

const usage = (random: Random): object => ({
  prompt_tokens: count(random),
  completion_tokens: count(random),
  total_tokens: count(random),
  ...(random.chance(0.3) && { cost: randomValue(random) }),
  ...(random.chance(0.4) && {
    prompt_tokens_details: random.chance(0.7) ? { cached_tokens: count(random) } : randomValue(random),
  }),
  ...(random.chance(0.4) && { completion_tokens_details: { reasoning_tokens: count(random) } }),
})

const reportedPrice = (random: Random): object => ({
  provider_metadata: random.chance(0.7) ? { gateway: { cost: randomValue(random) } } : randomValue(random),
})

const refusedFetch = '{"url":"http://127.0.0.1/","method":"GET"}'

const pickArguments = (random: Random): unknown =>
  random.pick<() => unknown>([
    () => refusedFetch,
    () => refusedFetch,
    () => refusedFetch.slice(0, random.between(0, refusedFetch.length)),
    () => '',
    () => '{}',
    () => JSON.parse(refusedFetch),
    () => `{"url":"${'a'.repeat(random.between(0, 40_000))}"}`,
    () => `{"url":"\\u0000","headers":{"\\ud800":"x","__proto__":"y"}}`,
    () => `{"url":1e400,"url":"http://127.0.0.1/"}`,
    () => '['.repeat(random.between(1, 30_000)),
    () => `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`,
    () => '{"questions":[{"question":"Which?","header":"h","options":[]}]}',
    () => JSON.stringify(randomText(random)),
    () => randomValue(random),
  ])()

const toolName = (random: Random): unknown =>
  random.chance(0.06)
    ? 'fetch'
    : random.pick([
        'no_such_tool',
        'constructor',
        '__proto__',
        '',
        ' fetch',
        'FETCH',
        'ask_user_question',
        7,
        null,
        'é'.repeat(3000),
      ])

/** A `task` call whose instructions name the streams of its sub-agent. */
const task = (random: Random, name: string): object => ({
  id: `task-${random.between(0, 3)}`,
  index: random.between(0, 5),
  function: {
    name: 'task',
    arguments: JSON.stringify({ task: `<fuzz ${name}/${random.between(0, 1e9)}>`, instructions: 'Do it.' }),
  },
})

const callPiece = (random: Random): object => ({
  ...(random.chance(0.8) && { index: random.chance(0.8) ? random.between(0, 8) : randomValue(random) }),
  ...(random.chance(0.6) && { id: random.chance(0.8) ? `call-${random.between(0, 5)}` : randomValue(random) }),
  ...(random.chance(0.9) && {
    function: random.chance(0.95)
      ? { ...(random.chance(0.7) && { name: toolName(random) }), arguments: pickArguments(random) }
      : randomValue(random),
  }),
})

const repeat = (times: number, make: (at: number) => object): object[] =>
  Array.from({ length: times }, (_, at) => make(at))

const choice = (delta: unknown, more: object = {}): object => ({ choices: [{ index: 0, delta, ...more }] })

/** A call of an unknown tool, which continues the turn: another response costs less than another turn. */
const continuingCall = choice({
  tool_calls: [{ index: 99, id: 'on', function: { name: 'no_such_tool', arguments: '{}' } }],
})

const manyCalls = (random: Random): object[] => {
  const text = random.chance(0.5) ? refusedFetch : ''
  return repeat(random.between(60, 800), (index) =>
    choice({ tool_calls: [{ index, id: `many-${index}`, function: { name: 'fetch', arguments: text } }] }),
  )
}

const manyParts = (random: Random): object[] =>
  repeat(random.between(100, 1000), (at) => choice(at % 2 === 0 ? { content: 'a ' } : { reasoning: 'b ' }))

const finishReason = (random: Random): unknown =>
  random.chance(0.85)
    ? random.pick(['stop', 'tool_calls', 'function_call'])
    : random.pick(['length', 'content_filter', 'error', '', 'é'.repeat(2000), 7, null, {}])

/** Returns several chunks of one kind. */
const chunks = (random: Random, name: string): object[] =>
  random.pick<() => object[]>([
    () => repeat(random.between(1, 20), () => choice({ content: randomText(random) })),
    () => repeat(random.between(1, 20), () => choice({ content: randomText(random) })),
    () =>
      repeat(random.between(1, 8), () =>
        choice({ reasoning_content: randomText(random), content: randomText(random) }),
      ),
    () => repeat(random.between(1, 8), () => choice({ tool_calls: [callPiece(random), callPiece(random)] })),
    () => repeat(random.between(1, 8), () => choice({ tool_calls: [callPiece(random)] })),
    () => (random.chance(0.06) ? repeat(random.between(1, 3), () => choice({ tool_calls: [task(random, name)] })) : []),
    () => [choice({ content: randomValue(random), tool_calls: randomValue(random), reasoning: randomValue(random) })],
    () => [{ choices: randomValue(random), usage: randomValue(random), id: randomValue(random), created: 1e300 }],
    () => [{ choices: [], usage: usage(random) }],
    () => [{ ...choice({}, reportedPrice(random)), ...reportedPrice(random) }],
    () => (random.chance(0.2) ? [choice({ content: 'x' }, { finish_reason: finishReason(random) })] : []),
    () => (random.chance(0.06) ? manyCalls(random) : []),
    () => (random.chance(0.06) ? manyParts(random) : []),
    () => (random.chance(0.1) ? [{ error: randomValue(random) }] : []),
  ])()

const irregularLine = (random: Random): Buffer =>
  random.pick([
    Buffer.from(': a comment\n\n'),
    Buffer.from('event: error\ndata: {}\n\n'),
    Buffer.from('data:\n\n'),
    Buffer.from('data: 7\n\n'),
    Buffer.from('data: [1,2]\n\n'),
    Buffer.from('\r\n\r\n'),
    Buffer.from('\ufeffdata: {}\n\n'),
    Buffer.from([0xff, 0xfe, 0x0a, 0x0a, 0xc3, 0x28]),
  ])

const fatalLine = (random: Random): Buffer =>
  Buffer.from(
    random.pick(['data: {"choices": [{"delta":\n\n', 'data: <html>\n\n', 'data: [DONE]\n\n', '<html></html>']),
  )

const formatEvent = (random: Random, chunk: object): Buffer => {
  const newline = random.chance(0.05) ? '\r\n' : '\n'
  return Buffer.from(`data: ${JSON.stringify(chunk)}${newline}${newline}`)
}

const maybeShuffle = (random: Random, events: Buffer[]): Buffer[] =>
  random.chance(0.15) ? events.toSorted(() => random.next() - 0.5) : events

/** Cuts the bytes at random positions, even within a character. */
const splitRandomly = (random: Random, bytes: Buffer): Buffer[] => {
  const pieces: Buffer[] = []
  const cuts = random.chance(0.3) ? random.between(1, 12) : 0
  let from = 0
  for (let cut = 0; cut < cuts && from < bytes.length; cut++) {
    const to = random.between(from, bytes.length)
    pieces.push(bytes.subarray(from, to))
    from = to
  }
  return [...pieces, bytes.subarray(from)].filter((piece) => piece.length > 0)
}

/** Generates a response that ranges from nearly valid to unreadable. */
export const fuzzedStream = (random: Random, name: string): FuzzedStream => {
  const events = Array.from({ length: random.between(0, 7) }, () => chunks(random, name))
    .flat()
    .map((chunk) => formatEvent(random, chunk))
  const finish = formatEvent(random, choice({}, { finish_reason: finishReason(random) }))
  const report = repeat(random.between(0, 2), () => ({ choices: [], usage: usage(random) }))
  const ordered = maybeShuffle(random, [
    ...events,
    ...(random.chance(0.95) ? [formatEvent(random, continuingCall)] : []),
    ...(random.chance(0.9) ? [finish] : []),
    ...report.map((chunk) => formatEvent(random, chunk)),
  ])
  const noisy = ordered.flatMap((event) => (random.chance(0.03) ? [irregularLine(random), event] : [event]))
  if (random.chance(0.03)) noisy.splice(random.between(0, noisy.length), 0, fatalLine(random))
  const marker = random.chance(0.9) ? [Buffer.from('data: [DONE]\n\n')] : []
  const hasOddStatus = random.chance(0.03)
  return {
    status: hasOddStatus ? random.pick([204, 301, 400, 404, 429, 500, 503]) : 200,
    contentType: random.chance(0.98) ? 'text/event-stream' : random.pick(['application/json', 'text/html', '']),
    pieces: splitRandomly(random, Buffer.concat([...noisy, ...marker])),
    end: random.chance(0.95) ? 'whole' : random.chance(0.9) ? 'cut' : 'hang',
  }
}
