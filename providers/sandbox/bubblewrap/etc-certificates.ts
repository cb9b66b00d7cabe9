import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export type Entry = { text: string | Buffer } | { link: string }

/** Paths of the file with all trusted certificates on the common distributions. */
const bundles = ['ssl/certs/ca-certificates.crt', 'pki/tls/certs/ca-bundle.crt', 'ssl/ca-bundle.pem', 'ssl/cert.pem']
const bundle = 'ssl/certs/ca-certificates.crt'

const certificate = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g
const hashedName = /^[0-9a-f]{8}\.\d$/

/**
 * Returns the certificates that this machine trusts as entries of /etc, at the paths where programs expect them. Copies only
 * trusted certificates, because the host's folder may also contain keys and the host's own certificate.
 */
export async function readTrustedCertificates(host: string): Promise<[string, Entry][]> {
  const trusted = await readFirstBundle(host)
  if (trusted.length === 0) return []
  const trustedSet = new Set(trusted)
  const names = await readdir(join(host, 'ssl/certs')).catch(() => [])
  const hashedCertificates = await Promise.all(
    names
      .filter((name) => hashedName.test(name))
      .map(async (name) => {
        const matches = extractCertificates(await readIfExists(join(host, 'ssl/certs', name)))
        return { name, text: matches.length === 1 && trustedSet.has(matches[0] ?? '') ? `${matches[0]}\n` : undefined }
      }),
  )
  return [
    [bundle, { text: `${trusted.join('\n')}\n` }],
    ['ssl/cert.pem', { link: 'certs/ca-certificates.crt' }],
    ['pki/tls/certs/ca-bundle.crt', { link: '/etc/ssl/certs/ca-certificates.crt' }],
    ...hashedCertificates.flatMap(({ name, text }): [string, Entry][] =>
      text === undefined ? [] : [[`ssl/certs/${name}`, { text }]],
    ),
  ]
}

async function readFirstBundle(host: string): Promise<string[]> {
  for (const path of bundles) {
    const matches = extractCertificates(await readIfExists(join(host, path)))
    if (matches.length > 0) return matches
  }
  return []
}

function extractCertificates(text: string): string[] {
  return text.match(certificate) ?? []
}

function readIfExists(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}
