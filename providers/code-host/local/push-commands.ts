import type { Readable } from 'node:stream'
import { isPushable } from '../../../domain/repositories/ref-names.ts'

/** `from` is the object that the client expects at the ref; null for a new ref. */
type Command = { ref: string; from: string | null; isDeletion: boolean }

/** Start of a push: the bytes that were read, which may include the beginning of the pack, and the parsed ref commands. */
export type PushStart = { bytes: Buffer; commands: Command[]; capabilities: string[]; isKnown: boolean }

const maxBytes = 1024 * 1024
const maxLineBytes = 4096
/** Maximum content of a sideband packet, below the limit of the protocol for a packet line. */
const maxPacketBytes = 60_000
const lengthDigits = 4
const commandPattern = /^([0-9a-f]{40}|[0-9a-f]{64}) ([0-9a-f]{40}|[0-9a-f]{64}) ([^\n]+)\n?$/

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
      const parsedLines = parseLines(Buffer.concat([rest, chunk]))
      lines.push(...parsedLines.lines)
      if (parsedLines.isEnd) return parsePushStart(Buffer.concat(chunks), lines)
      if (size > maxBytes) break
      rest = Buffer.from(parsedLines.rest)
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return { bytes: Buffer.concat(chunks), commands: [], capabilities: [], isKnown: false }
}

const flush = Buffer.from('0000')

/** Builds git's rejection of a push to refs other than branches and tags; undefined if the push has no such ref. */
export function buildRefusal({ commands, capabilities, isKnown }: PushStart): Buffer | undefined {
  if (isKnown && !commands.some(isRefusedCommand)) return undefined
  const unpacked = isKnown ? 'unpack ok\n' : 'unpack the push does not start with valid ref commands\n'
  return buildReport(
    [unpacked, ...commands.map((command) => `ng ${command.ref} ${explainRefusal(command)}\n`)],
    capabilities,
  )
}

/** Builds the report of a push as git formats it for a client with these capabilities. */
export function buildReport(lines: string[], capabilities: string[]): Buffer {
  const report = Buffer.concat([...lines.map(formatTextLine), flush])
  return capabilities.includes('side-band-64k') ? wrapInSideband(report) : report
}

/** Parses complete packet lines. `rest` is the incomplete remainder. Throws `RangeError` for invalid lines. */
function parseLines(bytes: Buffer): { lines: string[]; rest: Buffer; isEnd: boolean } {
  const lines: string[] = []
  let index = 0
  while (index + lengthDigits <= bytes.length) {
    const digits = bytes.toString('latin1', index, index + lengthDigits)
    if (digits === '0000') return { lines, rest: bytes.subarray(index), isEnd: true }
    const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : 0
    if (length <= lengthDigits || length > maxLineBytes)
      throw new RangeError('the push does not start with packet lines')
    if (index + length > bytes.length) break
    lines.push(bytes.toString('utf8', index + lengthDigits, index + length))
    index += length
  }
  return { lines, rest: bytes.subarray(index), isEnd: false }
}

function parsePushStart(bytes: Buffer, lines: string[]): PushStart {
  const [, capabilities = ''] = lines.find((line) => line.includes('\0'))?.split('\0') ?? []
  const commandLines = lines
    .map((line) => line.split('\0')[0] ?? '')
    .filter((line) => !/^shallow [0-9a-f]{40,64}\n?$/.test(line))
  const commands = commandLines.flatMap((line): Command[] => {
    const [, from = '', to = '', ref = ''] = commandPattern.exec(line) ?? []
    return ref === '' ? [] : [{ ref, from: isZero(from) ? null : from, isDeletion: isZero(to) }]
  })
  return {
    bytes,
    commands,
    capabilities: capabilities.trim().split(' '),
    isKnown: commands.length === commandLines.length,
  }
}

/** True for an object id of zeros, which represents a missing object. */
function isZero(id: string): boolean {
  return /^0+$/.test(id)
}

function formatTextLine(text: string): Buffer {
  return formatLine(Buffer.from(text))
}

function formatLine(content: Buffer): Buffer {
  return Buffer.concat([Buffer.from((content.length + lengthDigits).toString(16).padStart(lengthDigits, '0')), content])
}

function isRefusedCommand({ ref, isDeletion }: Command): boolean {
  return !isDeletion && !isPushable(ref)
}

function explainRefusal(command: Command): string {
  return isRefusedCommand(command)
    ? 'reserved or not allowed as the name of a branch or tag'
    : 'rejected because another ref was rejected'
}

/** Wraps a report in the first sideband channel of a push response. */
function wrapInSideband(report: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let index = 0; index < report.length; index += maxPacketBytes)
    pieces.push(formatLine(Buffer.concat([Buffer.from([1]), report.subarray(index, index + maxPacketBytes)])))
  return Buffer.concat([...pieces, flush])
}
