import type { Readable } from 'node:stream'
import { isPushable } from '../../../domain/repositories/ref-names.ts'

type Command = { ref: string; isDeletion: boolean }

/** What a push begins with: its bytes, which may go on into the pack, and what it asks for. */
export type PushStart = { bytes: Buffer; commands: Command[]; capabilities: string[]; isKnown: boolean }

const maxBytes = 1024 * 1024
const maxLine = 4096
/** Of an answer: one line of the protocol takes no more. */
const maxPiece = 60_000
const prefix = 4
const command = /^([0-9a-f]{40}|[0-9a-f]{64}) ([0-9a-f]{40}|[0-9a-f]{64}) ([^\n]+)\n?$/

/** Reads as far as the pack. A push that does not begin as pushes do is one whose start is not known. */
export async function readPushStart(body: Readable): Promise<PushStart> {
  const chunks: Buffer[] = []
  const lines: string[] = []
  let size = 0
  let rest = Buffer.alloc(0)
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      const taken = takeLines(Buffer.concat([rest, chunk]))
      lines.push(...taken.lines)
      if (taken.isEnd) return parsePushStart(Buffer.concat(chunks), lines)
      if (size > maxBytes) break
      rest = Buffer.from(taken.rest)
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return { bytes: Buffer.concat(chunks), commands: [], capabilities: [], isKnown: false }
}

const flush = Buffer.from('0000')

/** Git's own answer to a push that names what is no branch and no tag; undefined when it names none. */
export function buildRefusal({ commands, capabilities, isKnown }: PushStart): Buffer | undefined {
  if (isKnown && !commands.some(isRefused)) return undefined
  const report = Buffer.concat([
    line(isKnown ? 'unpack ok\n' : 'unpack the push does not begin as it should\n'),
    ...commands.map((one) => line(`ng ${one.ref} ${explainRefusal(one)}\n`)),
    flush,
  ])
  return capabilities.includes('side-band-64k') ? inChannel(report) : report
}

/** Takes whole lines off `bytes`; `rest` is what is not one yet. Throws `RangeError` for what are no lines of a push. */
function takeLines(bytes: Buffer): { lines: string[]; rest: Buffer; isEnd: boolean } {
  const lines: string[] = []
  let at = 0
  while (at + prefix <= bytes.length) {
    const digits = bytes.toString('latin1', at, at + prefix)
    if (digits === '0000') return { lines, rest: bytes.subarray(at), isEnd: true }
    const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : 0
    if (length <= prefix || length > maxLine) throw new RangeError('the push does not begin with lines')
    if (at + length > bytes.length) break
    lines.push(bytes.toString('utf8', at + prefix, at + length))
    at += length
  }
  return { lines, rest: bytes.subarray(at), isEnd: false }
}

function parsePushStart(bytes: Buffer, lines: string[]): PushStart {
  const [, capabilities = ''] = lines.find((line) => line.includes('\0'))?.split('\0') ?? []
  const asked = lines
    .map((line) => line.split('\0')[0] ?? '')
    .filter((line) => !/^shallow [0-9a-f]{40,64}\n?$/.test(line))
  const commands = asked.flatMap((line): Command[] => {
    const [, , to = '', ref = ''] = command.exec(line) ?? []
    return ref === '' ? [] : [{ ref, isDeletion: /^0+$/.test(to) }]
  })
  return { bytes, commands, capabilities: capabilities.trim().split(' '), isKnown: commands.length === asked.length }
}

function line(text: string): Buffer {
  return formatLine(Buffer.from(text))
}

function formatLine(content: Buffer): Buffer {
  return Buffer.concat([Buffer.from((content.length + prefix).toString(16).padStart(prefix, '0')), content])
}

function isRefused({ ref, isDeletion }: Command): boolean {
  return !isDeletion && !isPushable(ref)
}

function explainRefusal(one: Command): string {
  return isRefused(one) ? 'reserved or not allowed as the name of a branch or tag' : 'refused together with another'
}

/** Wraps a report in the first sideband channel of a push response. */
function inChannel(report: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let at = 0; at < report.length; at += maxPiece)
    pieces.push(formatLine(Buffer.concat([Buffer.from([1]), report.subarray(at, at + maxPiece)])))
  return Buffer.concat([...pieces, flush])
}
