import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts stored text: AES-256-GCM, with a key derived from the server's secret. */
export type Seal = {
  /** Encrypts a text for the owner with the id `ownerId`. Only the same id can decrypt it. */
  close(text: string, ownerId: string): string
  /** `isOld`: encrypted with the previous secret. Throws for text that was not encrypted with either secret. */
  open(sealed: string, ownerId: string): { text: string; isOld: boolean }
}

const algorithm = 'aes-256-gcm'

/** Encrypts with the first secret and decrypts with any of them. */
export function createSeal(secrets: readonly string[]): Seal {
  const keys = secrets.map((secret) => {
    const key = Buffer.from(hkdfSync('sha256', secret, '', 'connector grants', 32))
    return { key, id: createHash('sha256').update(key).digest('hex').slice(0, 12) }
  })
  const [first] = keys
  if (first === undefined) throw new Error('no secret is configured')
  return {
    close: (text, ownerId) => {
      const nonce = randomBytes(12)
      const cipher = createCipheriv(algorithm, first.key, nonce).setAAD(Buffer.from(ownerId))
      const closed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return ['v1', first.id, nonce.toString('base64url'), closed.toString('base64url')].join('.')
    },
    open: (sealed, ownerId) => {
      const [version, id, nonce = '', closed = ''] = sealed.split('.')
      const key = keys.find((key) => key.id === id)
      if (version !== 'v1' || key === undefined) throw new Error('encrypted with another secret')
      const bytes = Buffer.from(closed, 'base64url')
      const decipher = createDecipheriv(algorithm, key.key, Buffer.from(nonce, 'base64url'), { authTagLength: 16 })
        .setAAD(Buffer.from(ownerId))
        .setAuthTag(bytes.subarray(-16))
      const text = Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8')
      return { text, isOld: key !== first }
    },
  }
}
