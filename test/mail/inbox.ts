import { inboxToken } from '../../providers/mail/embedded.ts'
import type { World } from '../world/world.ts'

export type ListedMail = {
  id: string
  recipients: string[]
  from: string
  to: string[]
  cc: string[]
  subject: string
  text: string
  received_at: string
}
type WholeMail = ListedMail & { html: string; headers: { name: string; value: string }[] }

const json = { headers: { accept: 'application/json' } }

export const inboxPath = ({ config }: World): string => `/inbox/${inboxToken(config.SERVER_SECRET ?? '')}`

/** Lists the emails to this address in the embedded provider, newest first. */
export const listMails = async (world: World, to: string): Promise<ListedMail[]> => {
  const path = `${inboxPath(world)}?to=${encodeURIComponent(to)}`
  return (await world.request<{ messages: ListedMail[] }>('GET', path, json)).body.messages
}

export const readMail = async (world: World, id: string): Promise<WholeMail> =>
  (await world.request<WholeMail>('GET', `${inboxPath(world)}/${id}`, json)).body
