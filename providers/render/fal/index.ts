import type { RenderRequest } from '../../../domain/renders.ts'
import { ProviderError } from '../../provider-error.ts'
import type { RenderPort } from '../index.ts'
import { toPage, toResult, toStatus } from './answers.ts'
import { callFal, falUrls, openFal, type FalOptions } from './call.ts'
import { buildInput, readMark } from './input.ts'
import { createWebhookVerifier } from './webhook.ts'

const maxPages = 5

/** Creates a renderer that uses fal.ai's queue, which has no idempotency keys. A retry finds the first request by its mark. */
export function createFalRender(options: FalOptions): RenderPort {
  const { key: credentials, musicModel, videoModel } = options
  const urls = { ...falUrls, ...options.urls }
  const { queue } = openFal(options)

  const requireModel = ({ kind }: RenderRequest): string => {
    const model = kind === 'music' ? musicModel : videoModel
    if (model === undefined) throw new ProviderError('invalid', 'fal: FAL_VIDEO_MODEL is not set')
    return model
  }

  /** Finds the request with this mark in the last 24 hours. */
  const findMarked = async (
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
      const answer = await callFal(url.href, { headers, ...(signal !== undefined && { signal }) })
      const { items, cursor: next } = toPage(await answer.json())
      const found = items.find(({ json_input: input }) => readMark(input) === key)
      if (found !== undefined) return found.request_id
      if (next === undefined || items.length === 0) return undefined
      cursor = next
    }
    return undefined
  }

  return {
    submit: async (request, { key, isRepeat = false, webhookUrl, signal }) => {
      const model = requireModel(request)
      const known = isRepeat ? await findMarked(model, key, signal) : undefined
      if (known !== undefined) return { requestId: joinId(known, model) }
      const { request_id: id } = await queue.submit(model, {
        input: buildInput(request, key),
        ...(webhookUrl !== undefined && { webhookUrl }),
        ...toCallOptions({ signal }),
      })
      return { requestId: joinId(id, model) }
    },
    status: async (requestId, call = {}) => {
      const { id, model } = splitId(requestId)
      const found = toStatus(await queue.status(model, { requestId: id, logs: true, ...toCallOptions(call) }))
      if (found.state !== 'completed') return found
      try {
        await queue.result(model, { requestId: id, ...toCallOptions(call) })
        return found
      } catch (error) {
        // The result of a request that the model rejected is the rejection.
        if (error instanceof ProviderError && error.kind === 'invalid') return { ...found, state: 'failed' }
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
