import type { Frame } from '../../domain/log/frames.ts'

/** Indexes and exact bodies that one reader of a stream received, and whether it received `[DONE]`. */
export type Transcript = {
  frames: { index: number; body: string }[]
  heartbeats: number
  done: boolean
}

const createEmptyTranscript = (): Transcript => ({ frames: [], heartbeats: 0, done: false })

const readEvent = (event: string, transcript: Transcript): void => {
  if (event === ': hb') transcript.heartbeats++
  else if (event === 'data: [DONE]') transcript.done = true
  else {
    const match = /^id: (\d+)\ndata: (.*)$/s.exec(event)
    if (match === null) throw new Error(`not an event of the contract: ${JSON.stringify(event)}`)
    transcript.frames.push({ index: Number(match[1]), body: match[2] ?? '' })
  }
}

/** Longer than any stream of a test. The error at this limit shows the received frames, unlike the test's timeout. */
const maxReadMs = 150_000

/**
 * Reads an SSE response to its end, or until `until` is satisfied, and then disconnects. Rejects with the received
 * frames if neither happens in time.
 */
export const readTranscript = async (
  response: Response,
  until: (transcript: Transcript) => boolean = () => false,
): Promise<Transcript> => {
  const transcript = createEmptyTranscript()
  if (response.body === null) throw new Error('the response has no body')
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  const deadline = Date.now() + maxReadMs
  let text = ''
  for (;;) {
    // A broken connection ends the transcript, which contains everything received until then.
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
    if (done) return transcript
    if (Date.now() > deadline)
      throw new Error(`not in time: the end of a stream that began with ${formatHead(transcript)}`)
    text += decoder.decode(value, { stream: true })
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      readEvent(event, transcript)
      if (until(transcript)) {
        await reader.cancel().catch(() => {})
        return transcript
      }
    }
  }
}

const formatHead = ({ frames, heartbeats }: Transcript): string =>
  `${frames
    .slice(0, 20)
    .map(({ body }) => body)
    .join(', ')} (${frames.length} frames, ${heartbeats} heartbeats)`

export const listFrames = (transcript: Transcript): Frame[] =>
  transcript.frames.map(({ body }) => JSON.parse(body) as Frame)

export const listTypes = (transcript: Transcript): string[] => listFrames(transcript).map((frame) => frame.type)

/** Returns the text after retractions: the deltas of the parts that were not abandoned. */
export const shownText = (transcript: Transcript): string => {
  const frames = listFrames(transcript)
  const abandoned = new Set(
    frames
      .filter((frame) => frame.type === 'data-retract')
      .flatMap((frame) => (frame['data'] as { partIds: string[] }).partIds),
  )
  return frames
    .filter((frame) => frame.type === 'text-delta' && !abandoned.has(String(frame['id'])))
    .map((frame) => String(frame['delta']))
    .join('')
}

/**
 * Lists violations of these rules: frame indexes are consecutive, the first frame is the only `start`, the last frame is
 * the only `finish`, and `[DONE]` is received.
 */
export const listFaults = (transcript: Transcript): string[] => {
  const types = listTypes(transcript)
  return [
    ...transcript.frames
      .filter((frame, position) => frame.index !== position)
      .map((frame) => `index ${frame.index} out of place`),
    ...(types[0] === 'start' ? [] : ['does not begin with start']),
    ...(types.at(-1) === 'finish' ? [] : ['does not end with finish']),
    ...(types.filter((type) => type === 'finish').length === 1 ? [] : ['not exactly one finish']),
    ...(types.filter((type) => type === 'start').length === 1 ? [] : ['not exactly one start']),
    ...(transcript.done ? [] : ['no [DONE]']),
  ]
}
