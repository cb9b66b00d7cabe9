import { SiteError } from '../faults.ts'

/** SHA-256 of UTF-8 text, whole. */
export type Digest = (text: string) => Uint8Array

const formatVersion = 1
const maxOffset = 0xffffff

/** Scope of a cursor: a search, given by type and query, in one version of the content. */
export type CursorScope = { type: string; query: string; contentVersion: string; digest: Digest }

export function writeCursor({ type, query, contentVersion, digest }: CursorScope, offset: number): string {
  const bytes = Buffer.concat([buildBinding(type, query, contentVersion, digest), Buffer.alloc(3)])
  bytes.writeUIntBE(Math.min(offset, maxOffset), 15, 3)
  return bytes.toString('base64url')
}

/** The offset in the cursor. Throws the fault of a cursor that belongs to something else. */
export function readCursor({ type, query, contentVersion, digest }: CursorScope, cursor: string): number {
  const bytes = /^[A-Za-z0-9_-]{24}$/.test(cursor) ? Buffer.from(cursor, 'base64url') : undefined
  const bound = buildBinding(type, query, contentVersion, digest)
  if (bytes === undefined || !bytes.subarray(0, 15).equals(bound)) throw new SiteError('INVALID_CURSOR', ['cursor'])
  return bytes.readUIntBE(15, 3)
}

function buildBinding(type: string, query: string, contentVersion: string, digest: Digest): Buffer {
  const normalised = query.trim().normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ')
  return Buffer.concat([
    Buffer.from([formatVersion]),
    Buffer.from(contentVersion, 'hex'),
    digest(`${type}\n${normalised}`).subarray(0, 8),
  ])
}
