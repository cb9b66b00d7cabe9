import { StringDecoder } from 'node:string_decoder'
import { readHeader, UnexpectedResponse, type Body, type Client, type ClientContext } from './client.ts'
import type { Reading } from '../records/records.ts'
import type { Habit } from './workload-script.ts'

const eventPattern = /^id: (\d+)\ndata: (.*)$/s

/** Reads one response body to its end, or disconnects after `maxFrames` frames. */
const readBody = async (context: ClientContext, reading: Reading, body: Body, maxFrames = Infinity): Promise<void> => {
  const decoder = new StringDecoder('utf8')
  let text = ''
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      text += decoder.write(chunk)
      const at = Date.now()
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        const event = text.slice(0, end)
        text = text.slice(end + 2)
        if (event === 'data: [DONE]') reading.end = 'done'
        else if (!event.startsWith(':')) {
          const [, index, frame] = eventPattern.exec(event) ?? []
          if (index === undefined || frame === undefined)
            context.reportUnexpected(`${reading.runId}: not an event: ${JSON.stringify(event.slice(0, 200))}`)
          else reading.frames.push({ index: Number(index), body: frame, at })
        }
      }
      if (reading.frames.length >= maxFrames && reading.end !== 'done') {
        reading.end = 'left'
        break
      }
    }
  } catch {
    // A broken connection ends the reading with the frames received so far.
  } finally {
    body.destroy()
    // The deadline of the workload disconnects the reader.
    if (reading.end === 'cut' && context.deadline.aborted) reading.end = 'left'
    reading.endedAt = Date.now()
  }
}

type Run = { runId: string; chatId: string }

/** Reads a response body and records it from its first byte. */
export const readStream = async (
  context: ClientContext,
  { runId, chatId }: Run,
  {
    body,
    after,
    openedAt,
    maxFrames,
  }: { body: Body; after?: number | undefined; openedAt: number; maxFrames?: number | undefined },
): Promise<Reading> => {
  const reading: Reading = {
    runId,
    chatId,
    ...(after !== undefined && { after }),
    openedAt,
    endedAt: openedAt,
    frames: [],
    end: 'cut',
  }
  context.readings.push(reading)
  await readBody(context, reading, body, maxFrames)
  if (reading.end === 'done') context.ended(runId)
  return reading
}

type Outcome =
  /** `[DONE]` arrived. */
  | 'done'
  /** The run has ended and cannot be resumed. */
  | 'over'
  /** The reader has disconnected permanently. */
  | 'left'

/** Reads a run as a browser does: starts with `first` and resumes at the last frame after every lost connection. */
export const followRun = async (
  context: ClientContext,
  client: Client,
  run: Run,
  { first, habit }: { first?: Body | undefined; habit?: Pick<Habit, 'disconnections' | 'isPermanent'> } = {},
): Promise<Outcome> => {
  const disconnections = [...(habit?.disconnections ?? [])]
  let body = first
  let openedAt = Date.now()
  let after: number | undefined
  for (let failures = 0; ;) {
    if (body === undefined) {
      openedAt = Date.now()
      const headers = after === undefined ? undefined : { 'last-event-id': String(after) }
      const response = await client.open('GET', `/api/chat/${run.chatId}/stream`, { headers })
      if (response?.status === 200 && readHeader(response, 'x-workflow-run-id') === run.runId) body = response.body
      else {
        response?.body.destroy()
        // The response is the stream of another run, or there is no run or no chat: this run has ended.
        if (response !== undefined && [200, 204, 404].includes(response.status)) return 'over'
        if (response !== undefined && response.status < 429) {
          const text = `${client.name}: the stream of ${run.runId} responded ${response.status}`
          context.reportUnexpected(text)
          throw new UnexpectedResponse(text)
        }
        await client.pause(Math.min(100 * 2 ** failures++, 2000))
        continue
      }
    }
    const disconnect = disconnections[0]
    const reading = await readStream(context, run, { body, after, openedAt, maxFrames: disconnect?.afterFrames })
    body = undefined
    failures = reading.frames.length > 0 ? 0 : failures + 1
    after = reading.frames.at(-1)?.index ?? after
    if (reading.end === 'done') return 'done'
    if (reading.end === 'cut' || disconnect === undefined) {
      await client.pause(Math.min(100 * 2 ** failures, 2000))
      continue
    }
    disconnections.shift()
    if (disconnections.length === 0 && habit?.isPermanent === true) return 'left'
    await client.pause(disconnect.awayMs)
    if (disconnect.reload) after = undefined
  }
}
