import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts stored text: AES-256-GCM, with a key derived from the server's secret. */
export type Seal = {
  /** Encrypts a text for the owner with the id `bound`. Only the same id can decrypt it. */
  close(text: string, bound: string): string
  /** `isOld`: encrypted with the previous secret. Throws for text that was not encrypted with either secret. */
  open(sealed: string, bound: string): { text: string; isOld: boolean }
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
    close: (text, bound) => {
      const nonce = randomBytes(12)
      const cipher = createCipheriv(algorithm, first.key, nonce).setAAD(Buffer.from(bound))
      const closed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return ['v1', first.id, nonce.toString('base64url'), closed.toString('base64url')].join('.')
    },
    open: (sealed, bound) => {
      const [version, id, nonce = '', closed = ''] = sealed.split('.')
      const found = keys.find((one) => one.id === id)
      if (version !== 'v1' || found === undefined) throw new Error('sealed with another secret')
      const bytes = Buffer.from(closed, 'base64url')
      const decipher = createDecipheriv(algorithm, found.key, Buffer.from(nonce, 'base64url'), { authTagLength: 16 })
        .setAAD(Buffer.from(bound))
        .setAuthTag(bytes.subarray(-16))
      const text = Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8')
      return { text, isOld: found !== first }
    },
  }
}
