import { SiteError } from '../errors.ts'

/** Computes the SHA-256 of a text in UTF-8. */
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

/** Returns the offset in the cursor. Throws for a cursor of another scope. */
export function readCursor({ type, query, contentVersion, digest }: CursorScope, cursor: string): number {
  const bytes = /^[A-Za-z0-9_-]{24}$/.test(cursor) ? Buffer.from(cursor, 'base64url') : undefined
  const binding = buildBinding(type, query, contentVersion, digest)
  if (bytes === undefined || !bytes.subarray(0, 15).equals(binding)) throw new SiteError('INVALID_CURSOR', ['cursor'])
  return bytes.readUIntBE(15, 3)
}

function buildBinding(type: string, query: string, contentVersion: string, digest: Digest): Buffer {
  const normalized = query.trim().normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ')
  return Buffer.concat([
    Buffer.from([formatVersion]),
    Buffer.from(contentVersion, 'hex'),
    digest(`${type}\n${normalized}`).subarray(0, 8),
  ])
}
