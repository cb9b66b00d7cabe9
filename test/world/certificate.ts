import { isIP } from 'node:net'
import { generate } from 'selfsigned'

/** Creates a self-signed certificate for this host and its key, both in PEM. */
export const makeCertificate = async (host: string): Promise<{ key: string; cert: string }> => {
  const name = isIP(host) === 0 ? { type: 2 as const, value: host } : { type: 7 as const, ip: host }
  const extensions = [{ name: 'subjectAltName' as const, altNames: [name] }]
  const { cert, private: key } = await generate([{ name: 'commonName', value: host }], {
    extensions,
    algorithm: 'sha256',
  })
  return { key, cert }
}
