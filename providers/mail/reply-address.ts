import { createHmac, timingSafeEqual } from 'node:crypto'

/** Number of hexadecimal digits that fit into an address in addition to the chat id. */
const macDigits = 20

/** Returns the reply address of a chat: `base` with the chat id and a MAC after a plus sign. */
export function buildReplyAddress(serverSecret: string, base: string, chatId: string): string {
  const at = base.lastIndexOf('@')
  const id = chatId.replaceAll('-', '').toLowerCase()
  return `${base.slice(0, at)}+${id}.${computeMac(serverSecret, id)}${base.slice(at)}`
}

/** Returns the chat id of a signed reply address; undefined for every other address. */
export function parseReplyAddress(serverSecret: string, base: string, address: string): string | undefined {
  const at = base.lastIndexOf('@')
  const [prefix, suffix] = [`${base.slice(0, at)}+`.toLowerCase(), base.slice(at).toLowerCase()]
  const lowerCased = address.toLowerCase()
  if (!lowerCased.startsWith(prefix) || !lowerCased.endsWith(suffix)) return undefined
  const [, id, mac] = /^([0-9a-f]{32})\.([0-9a-f]{20})$/.exec(lowerCased.slice(prefix.length, -suffix.length)) ?? []
  if (id === undefined || mac === undefined) return undefined
  if (!timingSafeEqual(Buffer.from(mac), Buffer.from(computeMac(serverSecret, id)))) return undefined
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function computeMac(serverSecret: string, id: string): string {
  return createHmac('sha256', serverSecret).update(`mail reply ${id}`).digest('hex').slice(0, macDigits)
}
