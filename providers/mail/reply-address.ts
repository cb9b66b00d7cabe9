import { createHmac, timingSafeEqual } from 'node:crypto'

/** Hexadecimal digits: with the id of a chat, what an address has room for. */
const macDigits = 20

/** The address to which replies to emails of a chat go: `base` with the chat and a signature behind its name. */
export function replyAddress(serverSecret: string, base: string, chatId: string): string {
  const at = base.lastIndexOf('@')
  const id = chatId.replaceAll('-', '').toLowerCase()
  return `${base.slice(0, at)}+${id}.${computeMac(serverSecret, id)}${base.slice(at)}`
}

/** Returns the chat of a signed reply address; undefined for every other address. */
export function chatOfReplyAddress(serverSecret: string, base: string, address: string): string | undefined {
  const at = base.lastIndexOf('@')
  const [before, after] = [`${base.slice(0, at)}+`.toLowerCase(), base.slice(at).toLowerCase()]
  const lower = address.toLowerCase()
  if (!lower.startsWith(before) || !lower.endsWith(after)) return undefined
  const [, id, mac] = /^([0-9a-f]{32})\.([0-9a-f]{20})$/.exec(lower.slice(before.length, -after.length)) ?? []
  if (id === undefined || mac === undefined) return undefined
  if (!timingSafeEqual(Buffer.from(mac), Buffer.from(computeMac(serverSecret, id)))) return undefined
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function computeMac(serverSecret: string, id: string): string {
  return createHmac('sha256', serverSecret).update(`mail reply ${id}`).digest('hex').slice(0, macDigits)
}
