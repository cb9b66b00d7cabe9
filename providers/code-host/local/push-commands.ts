import type { Readable } from 'node:stream'
import { isPushable } from '../../../domain/repositories/ref-names.ts'

type Command = { ref: string; isDeletion: boolean }

/** Start of a push: the bytes that were read, which may include the beginning of the pack, and the parsed ref commands. */
export type PushStart = { bytes: Buffer; commands: Command[]; capabilities: string[]; isKnown: boolean }

const maxBytes = 1024 * 1024
const maxLineLength = 4096
/** Maximum bytes per sideband packet; a packet line of the protocol holds no more. */
const maxPacketBytes = 60_000
const prefixLength = 4
const command = /^([0-9a-f]{40}|[0-9a-f]{64}) ([0-9a-f]{40}|[0-9a-f]{64}) ([^\n]+)\n?$/

/** Reads the ref commands up to the pack. `isKnown` is false if the body does not start with valid commands. */
export async function readPushStart(body: Readable): Promise<PushStart> {
  const chunks: Buffer[] = []
  const lines: string[] = []
  let size = 0
  let rest = Buffer.alloc(0)
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      const parsed = parseLines(Buffer.concat([rest, chunk]))
      lines.push(...parsed.lines)
      if (parsed.isEnd) return parsePushStart(Buffer.concat(chunks), lines)
      if (size > maxBytes) break
      rest = Buffer.from(parsed.rest)
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return { bytes: Buffer.concat(chunks), commands: [], capabilities: [], isKnown: false }
}

const flush = Buffer.from('0000')

/** Builds git's rejection of a push to refs other than branches and tags; undefined if the push names none. */
export function buildRefusal({ commands, capabilities, isKnown }: PushStart): Buffer | undefined {
  if (isKnown && !commands.some(isRejected)) return undefined
  const report = Buffer.concat([
    line(isKnown ? 'unpack ok\n' : 'unpack the push does not start with ref commands\n'),
    ...commands.map((item) => line(`ng ${item.ref} ${explainRefusal(item)}\n`)),
    flush,
  ])
  return capabilities.includes('side-band-64k') ? wrapInSideband(report) : report
}

/** Parses complete packet lines. `rest` is the incomplete remainder. Throws `RangeError` for invalid lines. */
function parseLines(bytes: Buffer): { lines: string[]; rest: Buffer; isEnd: boolean } {
  const lines: string[] = []
  let at = 0
  while (at + prefixLength <= bytes.length) {
    const digits = bytes.toString('latin1', at, at + prefixLength)
    if (digits === '0000') return { lines, rest: bytes.subarray(at), isEnd: true }
    const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : 0
    if (length <= prefixLength || length > maxLineLength)
      throw new RangeError('the push does not start with packet lines')
    if (at + length > bytes.length) break
    lines.push(bytes.toString('utf8', at + prefixLength, at + length))
    at += length
  }
  return { lines, rest: bytes.subarray(at), isEnd: false }
}

function parsePushStart(bytes: Buffer, lines: string[]): PushStart {
  const [, capabilities = ''] = lines.find((line) => line.includes('\0'))?.split('\0') ?? []
  const commandLines = lines
    .map((line) => line.split('\0')[0] ?? '')
    .filter((line) => !/^shallow [0-9a-f]{40,64}\n?$/.test(line))
  const commands = commandLines.flatMap((line): Command[] => {
    const [, , to = '', ref = ''] = command.exec(line) ?? []
    return ref === '' ? [] : [{ ref, isDeletion: /^0+$/.test(to) }]
  })
  return {
    bytes,
    commands,
    capabilities: capabilities.trim().split(' '),
    isKnown: commands.length === commandLines.length,
  }
}

function line(text: string): Buffer {
  return formatLine(Buffer.from(text))
}

function formatLine(content: Buffer): Buffer {
  return Buffer.concat([Buffer.from((content.length + prefixLength).toString(16).padStart(prefixLength, '0')), content])
}

function isRejected({ ref, isDeletion }: Command): boolean {
  return !isDeletion && !isPushable(ref)
}

function explainRefusal(item: Command): string {
  return isRejected(item)
    ? 'reserved or not allowed as the name of a branch or tag'
    : 'rejected together with another ref'
}

/** Wraps a report in the first sideband channel of a push response. */
function wrapInSideband(report: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let at = 0; at < report.length; at += maxPacketBytes)
    pieces.push(formatLine(Buffer.concat([Buffer.from([1]), report.subarray(at, at + maxPacketBytes)])))
  return Buffer.concat([...pieces, flush])
}
