const name = 'backline_sign_in'
const maxAgeSeconds = 30 * 24 * 60 * 60

/** What a browser remembers for the page of the embedded issuer: the development token, and who signed in last. */
export type Remembered = { token: string; email: string }

export function readCookie(header: string | undefined): Remembered {
  for (const pair of (header ?? '').split(';')) {
    const [key, value = ''] = pair.trim().split('=')
    if (key !== name) continue
    const [token = '', email = ''] = value.split('.')
    return { token, email: Buffer.from(email, 'base64url').toString() }
  }
  return { token: '', email: '' }
}

/** For the pages of the issuer alone, and out of reach of scripts. */
export function cookieOf({ token, email }: Remembered): string {
  const value = `${token}.${Buffer.from(email).toString('base64url')}`
  return `${name}=${value}; Path=/identity; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax`
}
