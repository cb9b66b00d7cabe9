import { randomUUID } from 'node:crypto'
import type { Turn } from '../peer.ts'

/** Returns a turn of an app that has the routes of `apps/http.ts`. */
export function chatTurn(port: number, message: string, cursor: 'events' | 'characters' = 'events'): Turn {
  const id = randomUUID()
  const url = `http://127.0.0.1:${port}/chat`
  return {
    post: { url, headers: {}, body: { id, message } },
    resume: (position) => ({ url: `${url}/${id}/stream?from=${position[cursor]}`, headers: {} }),
  }
}
