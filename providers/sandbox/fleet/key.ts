import { hkdfSync } from 'node:crypto'
import type { TlsOptions } from 'node:tls'

/**
 * Key for TLS between machines of the same deployment. Both sides prove that they know the key, which is derived from the
 * deployment's secret. `deployment` distinguishes a copy of the database, which has the same secret.
 */
export type FleetKey = { secret: string; deployment: string }

const common = { minVersion: 'TLSv1.3', ciphers: 'TLS_AES_128_GCM_SHA256' } as const

export function serverTls({ secret, deployment }: FleetKey): TlsOptions {
  const psk = deriveKey(secret)
  return { ...common, pskCallback: (_socket, identity) => (identity === deployment ? psk : null) }
}

export function clientTls({ secret, deployment }: FleetKey) {
  const psk = deriveKey(secret)
  return {
    ...common,
    pskCallback: () => ({ psk, identity: deployment }),
    // The key identifies the server, which has no certificate.
    checkServerIdentity: () => undefined,
    maxCachedSessions: 0,
  }
}

function deriveKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'backline sandboxes of a fleet', 32))
}
