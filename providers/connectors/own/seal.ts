import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts stored text: AES-256-GCM, with a key derived from the server's secret. */
export type Seal = {
  /** Encrypts a text for the owner with the id `ownerId`. Only the same id can decrypt it. */
  close(text: string, ownerId: string): string
  /** Decrypts a text. `isOld`: it was encrypted with a previous secret. Throws if no secret can decrypt it. */
  open(sealed: string, ownerId: string): { text: string; isOld: boolean }
}

const algorithm = 'aes-256-gcm'

/** Creates a seal that encrypts with the first secret, which is current, and decrypts with any of the secrets. */
export function createSeal(secrets: readonly string[]): Seal {
  const keys = secrets.map((secret) => {
    const key = Buffer.from(hkdfSync('sha256', secret, '', 'connector grants', 32))
    return { key, id: createHash('sha256').update(key).digest('hex').slice(0, 12) }
  })
  const [current] = keys
  if (current === undefined) throw new Error('no secret is configured')
  return {
    close: (text, ownerId) => {
      const nonce = randomBytes(12)
      const cipher = createCipheriv(algorithm, current.key, nonce).setAAD(Buffer.from(ownerId))
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return ['v1', current.id, nonce.toString('base64url'), ciphertext.toString('base64url')].join('.')
    },
    open: (sealed, ownerId) => {
      const [version, id, nonce = '', ciphertext = ''] = sealed.split('.')
      const key = keys.find((key) => key.id === id)
      if (version !== 'v1' || key === undefined) throw new Error('encrypted with another secret')
      const bytes = Buffer.from(ciphertext, 'base64url')
      const decipher = createDecipheriv(algorithm, key.key, Buffer.from(nonce, 'base64url'), { authTagLength: 16 })
        .setAAD(Buffer.from(ownerId))
        .setAuthTag(bytes.subarray(-16))
      const text = Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8')
      return { text, isOld: key !== current }
    },
  }
}
