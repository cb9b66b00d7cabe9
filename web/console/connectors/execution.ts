import { useRef, useState } from 'react'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { ApiClientError } from '../access/failure.ts'
import type { Json } from '../access/json.ts'

/** Returns a function that executes an action, and the last result as JSON text. */
export function useExecution(actionSlug: string) {
  const [result, setResult] = useState<string>()
  // Idempotency key of the last request. A repeated request keeps its key until its outcome is known.
  const last = useRef<{ request: string; key: string }>(undefined)
  const execute = async (parameters: Json): Promise<void> => {
    const body = { actionSlug, parameters, ...forAccount() }
    setResult(undefined)
    const request = JSON.stringify(body)
    if (last.current?.request !== request) last.current = { request, key: crypto.randomUUID() }
    const header = { 'Idempotency-Key': last.current.key }
    try {
      const response = await api.POST('/api/connectors/actions', { body, header })
      setResult(JSON.stringify(response.result, null, 2))
      last.current = undefined
    } catch (error) {
      // After a server or network error the action may have been executed.
      if (error instanceof ApiClientError && error.status < 500) last.current = undefined
      throw error
    }
  }
  return { result, execute }
}
