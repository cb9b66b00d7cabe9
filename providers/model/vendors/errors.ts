import { AISDKError, APICallError } from '@ai-sdk/provider'
import { ModelError } from '../index.ts'
import { protocolError, networkError, statusError, streamError } from '../errors.ts'

/** Converts an error of an AI SDK provider, or an error object in its stream. Removes `secret` from the text. */
export function toModelError(error: unknown, secret: string): ModelError {
  if (error instanceof ModelError) return error
  if (APICallError.isInstance(error)) return callError(error, secret)
  // The library could not parse an event, or cannot convert the prompt.
  if (AISDKError.isInstance(error)) return promptErrorNames.has(error.name) ? promptError(error) : protocolError()
  return error instanceof Error ? networkError(error.cause ?? error, secret) : streamError(error, secret)
}

const promptErrorNames = new Set(['AI_InvalidPromptError', 'AI_UnsupportedFunctionalityError'])

function callError({ statusCode, responseHeaders = {}, responseBody = '', cause }: APICallError, secret: string) {
  if (statusCode === undefined) return networkError(cause, secret)
  if (statusCode < 400) return protocolError()
  return statusError({ status: statusCode, headers: responseHeaders, body: responseBody }, secret)
}

function promptError({ message }: Error): ModelError {
  return new ModelError(`the model does not support this prompt: ${message}`, { retryable: false, detail: message })
}
