import * as tls from 'node:tls'
import { experimental, type ChannelCredentials } from '@grpc/grpc-js'
import type { Credentials, CredentialWatch } from './credentials.ts'

/**
 * Creates channel credentials that use the newest certificates for each new connection. With the SDK's `tls` option, a
 * channel would keep its first certificates.
 */
export function followCertificates(watch: CredentialWatch): ChannelCredentials {
  const caListeners = new Set<experimental.CaCertificateUpdateListener>()
  const identityListeners = new Set<experimental.IdentityCertificateUpdateListener>()
  const provider: experimental.CertificateProvider = {
    addCaCertificateListener: (listener) => {
      caListeners.add(listener)
      listener(toCaUpdate(watch.current()))
    },
    removeCaCertificateListener: (listener) => void caListeners.delete(listener),
    addIdentityCertificateListener: (listener) => {
      identityListeners.add(listener)
      listener(toIdentityUpdate(watch.current()))
    },
    removeIdentityCertificateListener: (listener) => void identityListeners.delete(listener),
  }
  watch.onChange((next) => {
    for (const listener of caListeners) listener(toCaUpdate(next))
    for (const listener of identityListeners) listener(toIdentityUpdate(next))
  })
  const identityProvider = watch.current().identity === undefined ? null : provider
  return experimental.createCertificateProviderChannelCredentials(provider, identityProvider)
}

function toCaUpdate({ ca }: Credentials): experimental.CaCertificateUpdate {
  return { caCertificate: ca ?? Buffer.from(listDefaultAuthorities().join('\n')) }
}

function toIdentityUpdate({ identity }: Credentials): experimental.IdentityCertificateUpdate | null {
  return identity === undefined ? null : { certificate: identity.certificate, privateKey: identity.key }
}

/** Returns the default authorities, with those of NODE_EXTRA_CA_CERTS if this version of Node can list them. */
function listDefaultAuthorities(): readonly string[] {
  const { getCACertificates } = tls as typeof tls & { getCACertificates?: (type: 'default') => string[] }
  return getCACertificates?.('default') ?? tls.rootCertificates
}
