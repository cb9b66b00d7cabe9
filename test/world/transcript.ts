import type { Frame } from '../../domain/log/frames.ts'

/** Indexes and exact bodies that one reader of a stream received, and whether `[DONE]` came. */
export type Transcript = {
  frames: { index: number; body: string }[]
  heartbeats: number
  done: boolean
}

const emptyTranscript = (): Transcript => ({ frames: [], heartbeats: 0, done: false })

const readEvent = (event: string, transcript: Transcript): void => {
  if (event === ': hb') transcript.heartbeats++
  else if (event === 'data: [DONE]') transcript.done = true
  else {
    const match = /^id: (\d+)\ndata: (.*)$/s.exec(event)
    if (match === null) throw new Error(`not an event of the contract: ${JSON.stringify(event)}`)
    transcript.frames.push({ index: Number(match[1]), body: match[2] ?? '' })
  }
}

/** No stream of a test is open for so long; one that is would end its test without showing where it stopped. */
const longestMs = 150_000

/**
 * Reads an SSE response to its end, or until `until` is satisfied, and then cuts the connection. Rejects, with what was read,
 * when neither happens in time.
 */
export const readTranscript = async (
  response: Response,
  until: (transcript: Transcript) => boolean = () => false,
): Promise<Transcript> => {
  const transcript = emptyTranscript()
  if (response.body === null) throw new Error('the response has no body')
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  const deadline = Date.now() + longestMs
  let text = ''
  for (;;) {
    // A broken connection ends the transcript; what came before it counts.
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

/** Returns the text that a reader shows who honors retractions: deltas of parts that were not abandoned. */
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

/** Checks that every frame index is there once and in order, `start` first, `finish` last and once, and `[DONE]` after it. */
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
