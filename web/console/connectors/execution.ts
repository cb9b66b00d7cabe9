import { useRef, useState } from 'react'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { ApiClientError, read } from '../access/failure.ts'
import type { Json } from './json.ts'

/** Executes an action, and keeps its last result as JSON text. */
export function useExecution(actionSlug: string) {
  const [result, setResult] = useState<string>()
  const ensureKey = useRequestKey()
  const execute = async (parameters: Json): Promise<void> => {
    const body = { actionSlug, parameters, ...forAccount() }
    setResult(undefined)
    const header = { 'Idempotency-Key': ensureKey(JSON.stringify(body)) }
    try {
      const answer = await read(api.POST('/api/connectors/actions', { body, params: { header } }))
      setResult(JSON.stringify(answer.result, null, 2))
      ensureKey.renew()
    } catch (error) {
      // After a server or network error the action may have been executed, so a repeated request keeps its key.
      if (error instanceof ApiClientError && error.status < 500) ensureKey.renew()
      throw error
    }
  }
  return { result, execute }
}

/** Gives a request the same idempotency key until its outcome is known. */
function useRequestKey() {
  const last = useRef<{ request: string; key: string }>(undefined)
  const ensureKey = (request: string): string => {
    if (last.current?.request !== request) last.current = { request, key: crypto.randomUUID() }
    return last.current.key
  }
  return Object.assign(ensureKey, {
    renew: () => {
      last.current = undefined
    },
  })
}
