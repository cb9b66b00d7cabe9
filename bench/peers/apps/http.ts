import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export type Chat = { id: string; message: string }

type Routes = {
  /** POST /chat */
  post: (chat: Chat, response: ServerResponse) => Promise<void>
  /** GET /chat/{id}/stream?from=n */
  get: (id: string, from: number, response: ServerResponse) => Promise<void>
}

/** Serves the two routes of a chat on the port `PORT`. */
export function serveChat({ post, get }: Routes): void {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'POST') return post((await readJson(request)) as Chat, response)
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    return get(pathname.split('/')[2] ?? '', Number(searchParams.get('from')), response)
  }
  createServer({ noDelay: true }, (request, response) => {
    handle(request, response).catch((error: unknown) => {
      console.error(error)
      response.destroy()
    })
  }).listen(Number(process.env['PORT']), '127.0.0.1')
}

/** Writes each value as one event, with its index as the id. */
export async function sendEvents(
  response: ServerResponse,
  values: AsyncIterable<unknown>,
  from: number,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  let index = from
  for await (const value of values) {
    if (response.destroyed) return
    response.write(`id: ${index++}\ndata: ${JSON.stringify(value)}\n\n`)
  }
  response.end('data: [DONE]\n\n')
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = []
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
  return JSON.parse(Buffer.concat(pieces).toString('utf8'))
}
