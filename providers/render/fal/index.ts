import type { RenderRequest } from '../../../domain/renders.ts'
import { ProviderError } from '../../errors/provider-error.ts'
import type { RenderPort } from '../index.ts'
import { toPage, toResult, toStatus } from './answers.ts'
import { callFal, falUrls, openFal, type FalOptions } from './call.ts'
import { buildInput, readClientKey } from './input.ts'
import { createWebhookVerifier } from './webhook.ts'

const maxPages = 5

/** Creates a renderer that uses fal.ai's queue, which has no idempotency keys. A retry searches for the first request. */
export function createFalRender(options: FalOptions): RenderPort {
  const { key: credentials, musicModel, videoModel } = options
  const urls = { ...falUrls, ...options.urls }
  const { queue } = openFal(options)

  const requireModel = ({ kind }: RenderRequest): string => {
    const model = kind === 'music' ? musicModel : videoModel
    if (model === undefined) throw new ProviderError('invalid', 'fal: FAL_VIDEO_MODEL is not set')
    return model
  }

  /** Finds the request whose input contains this key in the last 24 hours. */
  const findByKey = async (
    model: string,
    key: string,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> => {
    let cursor: string | undefined
    for (let page = 0; page < maxPages; page++) {
      const url = new URL(`${urls.platform}/models/requests/by-endpoint`)
      for (const [name, value] of Object.entries({ endpoint_id: model, expand: 'payloads', limit: '100', cursor }))
        if (value !== undefined) url.searchParams.set(name, value)
      const headers = { authorization: `Key ${credentials}` }
      const response = await callFal(url.href, { headers, ...(signal !== undefined && { signal }) })
      const { items, cursor: next } = toPage(await response.json())
      const match = items.find(({ json_input: input }) => readClientKey(input) === key)
      if (match !== undefined) return match.request_id
      if (next === undefined || items.length === 0) return undefined
      cursor = next
    }
    return undefined
  }

  return {
    submit: async (request, { key, isRepeat = false, webhookUrl, signal }) => {
      const model = requireModel(request)
      const earlierId = isRepeat ? await findByKey(model, key, signal) : undefined
      if (earlierId !== undefined) return { requestId: joinId(earlierId, model) }
      const { request_id: id } = await queue.submit(model, {
        input: buildInput(request, key),
        ...(webhookUrl !== undefined && { webhookUrl }),
        ...toCallOptions({ signal }),
      })
      return { requestId: joinId(id, model) }
    },
    status: async (requestId, call = {}) => {
      const { id, model } = splitId(requestId)
      const current = toStatus(await queue.status(model, { requestId: id, logs: true, ...toCallOptions(call) }))
      if (current.state !== 'completed') return current
      try {
        await queue.result(model, { requestId: id, ...toCallOptions(call) })
        return current
      } catch (error) {
        // If the model rejected the input, reading the result returns the rejection.
        if (error instanceof ProviderError && error.kind === 'invalid') return { ...current, state: 'failed' }
        throw error
      }
    },
    result: async (requestId, call = {}) => {
      const { id, model } = splitId(requestId)
      const { data } = await queue.result(model, { requestId: id, ...toCallOptions(call) })
      return toResult(data)
    },
    cancel: async (requestId, call = {}) => {
      const { id, model } = splitId(requestId)
      try {
        await queue.cancel(model, { requestId: id, ...toCallOptions(call) })
      } catch (error) {
        // The request has already ended, or the vendor has deleted it.
        if (error instanceof ProviderError && (error.kind === 'invalid' || error.kind === 'not_found')) return
        throw error
      }
    },
    verifyWebhook: createWebhookVerifier(urls.keys),
  }
}

/** Builds a request id that contains the model, because the vendor stores requests per model. */
function joinId(id: string, model: string): string {
  return `${id}@${model}`
}

function toCallOptions({ signal }: { signal?: AbortSignal | undefined }) {
  return signal === undefined ? {} : { abortSignal: signal }
}

function splitId(requestId: string): { id: string; model: string } {
  const [, id, model] = /^([\w-]{1,100})@([\w./-]{1,200})$/.exec(requestId) ?? []
  if (id === undefined || model === undefined) throw new ProviderError('not_found', 'fal: the request id is malformed')
  return { id, model }
}
