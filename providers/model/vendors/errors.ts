import { AISDKError, APICallError } from '@ai-sdk/provider'
import { ModelError } from '../index.ts'
import { protocolError, networkError, statusError, streamError } from '../errors.ts'

/** Converts an error of an AI SDK provider, or an error object in its stream. Removes `secret` from the text. */
export function toModelError(error: unknown, secret: string): ModelError {
  if (error instanceof ModelError) return error
  if (APICallError.isInstance(error)) return toCallError(error, secret)
  // The library could not convert the prompt, or could not parse an event.
  if (AISDKError.isInstance(error)) return promptErrorNames.has(error.name) ? toPromptError(error) : protocolError()
  return error instanceof Error ? networkError(error.cause ?? error, secret) : streamError(error, secret)
}

const promptErrorNames = new Set(['AI_InvalidPromptError', 'AI_UnsupportedFunctionalityError'])

function toCallError({ statusCode, responseHeaders = {}, responseBody = '', cause }: APICallError, secret: string) {
  if (statusCode === undefined) return networkError(cause, secret)
  if (statusCode < 400) return protocolError()
  return statusError({ status: statusCode, headers: responseHeaders, body: responseBody }, secret)
}

function toPromptError({ message }: Error): ModelError {
  return new ModelError(`the model does not support this prompt: ${message}`, { retryable: false, detail: message })
}
