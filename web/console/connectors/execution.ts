import { useRef, useState } from 'react'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { ApiClientError, read } from '../access/failure.ts'
import type { Json } from './json.ts'

/** Returns a function that executes an action, and the last result as JSON text. */
export function useExecution(actionSlug: string) {
  const [result, setResult] = useState<string>()
  const getKey = useRequestKey()
  const execute = async (parameters: Json): Promise<void> => {
    const body = { actionSlug, parameters, ...forAccount() }
    setResult(undefined)
    const header = { 'Idempotency-Key': getKey(JSON.stringify(body)) }
    try {
      const response = await read(api.POST('/api/connectors/actions', { body, params: { header } }))
      setResult(JSON.stringify(response.result, null, 2))
      getKey.renew()
    } catch (error) {
      // After a server or network error the action may have been executed, so a repeated request keeps its key.
      if (error instanceof ApiClientError && error.status < 500) getKey.renew()
      throw error
    }
  }
  return { result, execute }
}

/** Returns a function that creates an idempotency key. A repeated request has the same key until `renew` is called. */
function useRequestKey() {
  const last = useRef<{ request: string; key: string }>(undefined)
  const getKey = (request: string): string => {
    if (last.current?.request !== request) last.current = { request, key: crypto.randomUUID() }
    return last.current.key
  }
  return Object.assign(getKey, {
    renew: () => {
      last.current = undefined
    },
  })
}
