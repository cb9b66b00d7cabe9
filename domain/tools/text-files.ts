type TextEncoding = 'utf-8-bom' | 'utf-16le' | 'utf-16be'

/**
 * A file as text. `encoding` is set by the byte order mark, which `text` does not contain. `lossy`: bytes that are invalid in
 * the encoding are U+FFFD in `text`. `binary`: the file contains a NUL.
 */
export type TextFile = { text: string; encoding?: TextEncoding; lossy?: true; binary?: true }

const utf8Mark = [0xef, 0xbb, 0xbf]
const marks: [encoding: TextEncoding, mark: number[]][] = [
  ['utf-8-bom', utf8Mark],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]
const replacement = '\ufffd'
const lineFeed = 0x0a

export function readText(bytes: Uint8Array): TextFile {
  const encoding = detectEncoding(bytes)
  const label = encoding === undefined || encoding === 'utf-8-bom' ? 'utf-8' : encoding
  const text = new TextDecoder(label).decode(bytes)
  return {
    text,
    ...(encoding !== undefined && { encoding }),
    ...(!isDecodable(label, bytes) && { lossy: true as const }),
    ...(text.includes('\0') && { binary: true as const }),
  }
}

/** Thrown for new content with U+FFFD for undecodable bytes in a line that the old file does not contain. */
export class InvalidUtf8Error extends Error {
  override readonly name = 'InvalidUtf8Error'
  constructor() {
    super(
      'The file holds bytes that are not UTF-8 and are shown as U+FFFD. A changed line with that character would lose ' +
        'them: change the line with bash, for example sed, or leave it as it was read',
    )
  }
}

/**
 * Encodes new content for a file in the encoding of its `old` bytes. A line with U+FFFD for undecodable bytes keeps these
 * bytes if the old file has the same line. Throws `InvalidUtf8Error` for any other such line.
 */
export function writeText(content: string, old: Uint8Array): Uint8Array {
  const { encoding, lossy } = readText(old)
  const text = encoding !== undefined && content.startsWith('\ufeff') ? content.slice(1) : content
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return encodeUtf16(text, encoding)
  const body =
    lossy && text.includes(replacement)
      ? restoreBytes(text, encoding === undefined ? old : old.subarray(utf8Mark.length))
      : Buffer.from(text)
  return encoding === undefined ? body : Buffer.concat([Uint8Array.from(utf8Mark), body])
}

function detectEncoding(bytes: Uint8Array): TextEncoding | undefined {
  return marks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0]
}

function isDecodable(label: string, bytes: Uint8Array): boolean {
  try {
    new TextDecoder(label, { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

function encodeUtf16(text: string, encoding: 'utf-16le' | 'utf-16be'): Uint8Array {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return encoding === 'utf-16le' ? bytes : bytes.swap16()
}

function restoreBytes(text: string, old: Uint8Array): Uint8Array {
  const bytesByLine = new Map<string, Uint8Array[]>()
  for (const line of splitLines(old)) {
    const decodedLine = new TextDecoder('utf-8').decode(line)
    if (decodedLine.includes(replacement)) bytesByLine.set(decodedLine, [...(bytesByLine.get(decodedLine) ?? []), line])
  }
  const lines = text.split('\n').map((line) => {
    if (!line.includes(replacement)) return Buffer.from(line)
    const candidates = bytesByLine.get(line)
    // Lines that look the same may have different bytes. They are used in order; the last bytes are reused.
    const bytes = candidates !== undefined && candidates.length > 1 ? candidates.shift() : candidates?.[0]
    if (bytes === undefined) throw new InvalidUtf8Error()
    return bytes
  })
  return Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [Uint8Array.of(lineFeed), line])))
}

function splitLines(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = []
  let from = 0
  for (let index = bytes.indexOf(lineFeed); index !== -1; index = bytes.indexOf(lineFeed, from)) {
    lines.push(bytes.subarray(from, index))
    from = index + 1
  }
  return [...lines, bytes.subarray(from)]
}
