const name = 'backline_sign_in'
const maxAgeSeconds = 30 * 24 * 60 * 60

/** Cookie of the embedded issuer's page: the development token, and the last email address. */
export type SignInCookie = { token: string; email: string }

export function readCookie(header: string | undefined): SignInCookie {
  for (const pair of (header ?? '').split(';')) {
    const [key, value = ''] = pair.trim().split('=')
    if (key !== name) continue
    const [token = '', email = ''] = value.split('.')
    return { token, email: Buffer.from(email, 'base64url').toString() }
  }
  return { token: '', email: '' }
}

/** Returns a Set-Cookie value for the pages of the issuer only. Scripts cannot read the cookie. */
export function formatCookie({ token, email }: SignInCookie): string {
  const value = `${token}.${Buffer.from(email).toString('base64url')}`
  return `${name}=${value}; Path=/identity; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax`
}
