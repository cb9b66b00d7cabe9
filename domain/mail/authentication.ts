/**
 * Returns whether an email passed DMARC for the domain of its sender. `results` is the value of its topmost
 * Authentication-Results header (RFC 8601), `server` the authserv-id of the email provider. Returns false for any other
 * server or domain, for several DMARC results and for a malformed value, because a sender can add such headers.
 */
export function passesDmarc(results: string, { server, domain }: { server: string; domain: string }): boolean {
  const [id = '', ...checks] = splitResults(results) ?? []
  if (id.split(/\s/)[0]?.toLowerCase() !== server.toLowerCase()) return false
  const [check, ...others] = checks.filter((each) => /^dmarc\b/i.test(each))
  if (check === undefined || others.length > 0) return false
  const [property, ...repeated] = check.match(/(?<=\s)header\.from=\S+/gi) ?? []
  const isPass = /^dmarc(?:\/1)?=pass(?:\s|$)/i.test(removeSpaces(check))
  return isPass && repeated.length === 0 && property?.slice('header.from='.length).toLowerCase() === domain
}

/** Removes spaces around `=`. */
function removeSpaces(check: string): string {
  return check
    .split('=')
    .map((part) => part.trim())
    .join('=')
}

/**
 * Splits the value at semicolons. Removes comments and the content of quoted strings, which the sender controls. Returns
 * undefined if a comment or string is not closed.
 */
function splitResults(value: string): string[] | undefined {
  const parts = ['']
  let depth = 0
  let isQuoted = false
  for (let index = 0; index < value.length; index++) {
    const character = value[index] ?? ''
    if (character === '\\' && (isQuoted || depth > 0)) index++
    else if (isQuoted) isQuoted = character !== '"'
    else if (character === '(') depth++
    else if (character === ')') depth--
    else if (depth === 0 && character === '"') isQuoted = true
    else if (depth === 0 && character === ';') parts.push('')
    else if (depth === 0) parts[parts.length - 1] += character
    if (depth < 0) return undefined
  }
  return isQuoted || depth > 0 ? undefined : parts.map((part) => part.trim())
}
