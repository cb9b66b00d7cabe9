import type { World } from '../../world/world.ts'

export type Page = { status: number; text: string; headers: Headers; location: string | null }

/** Collapses white space as a browser does. */
const collapseSpace = (text: string): string => text.replaceAll(/\s+/g, ' ')

const readToken = ({ text }: Page): string => /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''

/** Creates a browser without scripts that opens URLs and submits the form of a page. */
export const createBrowser = ({ baseUrl }: Pick<World, 'baseUrl'>) => {
  const sendRequest = async (url: string, init: RequestInit = {}): Promise<Page> => {
    const { pathname, search } = new URL(url)
    const response = await fetch(baseUrl + pathname + search, { ...init, redirect: 'manual' })
    const { status, headers } = response
    return { status, text: collapseSpace(await response.text()), headers, location: headers.get('location') }
  }
  const open = (url: string): Promise<Page> => sendRequest(url)
  const post = (url: string, fields: Record<string, string>): Promise<Page> =>
    sendRequest(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    })
  /** Opens the page and submits its form. */
  const send = async (url: string, fields: Record<string, string>): Promise<Page> =>
    post(url, { token: readToken(await open(url)), ...fields })
  return { open, post, send, readToken }
}
export type Browser = ReturnType<typeof createBrowser>

export const cardForm = (number: string, overrides: Record<string, string> = {}): Record<string, string> => ({
  action: 'pay',
  card: 'new',
  number,
  expiry: '12/40',
  cvc: '123',
  ...overrides,
})

export const cards = {
  good: '4242424242424242',
  declinesLater: '4000000000000341',
  asksAlways: '4000002760003184',
} as const
