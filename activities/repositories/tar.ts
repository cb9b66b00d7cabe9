/** One regular file of an archive. */
export type TarFile = { path: string; content: Uint8Array; isExecutable: boolean }

const blockBytes = 512
const executable = 0o100

/** Returns the regular files of a tar archive. Skips links, folders and devices. Throws if the archive is corrupt. */
export function readTar(archive: Uint8Array): TarFile[] {
  const files: TarFile[] = []
  let longPath: string | undefined
  for (let offset = 0; offset + blockBytes <= archive.length;) {
    const header = archive.subarray(offset, offset + blockBytes)
    if (header.every((byte) => byte === 0)) return files
    const size = readNumber(header, 124, 12)
    const content = archive.subarray(offset + blockBytes, offset + blockBytes + size)
    if (!(size >= 0) || content.length !== size) throw new Error('the archive is corrupt')
    const type = String.fromCharCode(header[156] ?? 0)
    if (type === 'L') longPath = readText(content, 0, content.length)
    else if (type === 'x') longPath = parseExtendedPath(content)
    else {
      const path = (longPath ?? readHeaderPath(header)).replace(/^(?:\.\/)+/, '')
      if (type === '0' || type === '\0')
        files.push({ path, content, isExecutable: (readNumber(header, 100, 8) & executable) !== 0 })
      longPath = undefined
    }
    offset += blockBytes + Math.ceil(size / blockBytes) * blockBytes
  }
  throw new Error('the archive is corrupt')
}

function readNumber(header: Uint8Array, from: number, length: number): number {
  return Number.parseInt(readText(header, from, length).trim() || '0', 8)
}

function readText(header: Uint8Array, from: number, length: number): string {
  const bytes = header.subarray(from, from + length)
  const end = bytes.indexOf(0)
  return Buffer.from(end === -1 ? bytes : bytes.subarray(0, end)).toString()
}

/** Parses `<length> <name>=<value>` lines for the path of a file whose name is too long for its header. */
function parseExtendedPath(content: Uint8Array): string | undefined {
  for (const line of Buffer.from(content).toString().split('\n')) {
    const name = line.indexOf(' ') + 1
    if (name > 0 && line.startsWith('path=', name)) return line.slice(name + 'path='.length)
  }
  return undefined
}

function readHeaderPath(header: Uint8Array): string {
  const prefix = readText(header, 257, 5) === 'ustar' ? readText(header, 345, 155) : ''
  return prefix === '' ? readText(header, 0, 100) : `${prefix}/${readText(header, 0, 100)}`
}
