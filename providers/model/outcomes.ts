import type { CallOutcome } from '../../domain/models.ts'
import { ModelError, type ModelPart, type ModelPort } from './index.ts'

type ReportOutcome = (call: { modelId: string; outcome: CallOutcome }) => void

/** Wraps the port and reports the outcome of each call, except for calls that the caller or its part handler aborted. */
export function reportOutcomes<P extends Pick<ModelPort, 'stream'>>(port: P, onOutcome: ReportOutcome): P {
  const stream: ModelPort['stream'] = async (call, signal, onPart) => {
    let isSettled = false
    const settle = (outcome: CallOutcome): void => {
      if (!isSettled && !signal.aborted) onOutcome({ modelId: call.modelId, outcome })
      isSettled = true
    }
    const fail = (error: unknown): never => {
      isSettled = true
      throw error
    }
    const handlePart = (part: ModelPart): Promise<void> | undefined => {
      if (part.type === 'finish') settle('answered')
      else if (part.type === 'error') settle('failed')
      try {
        return onPart(part)?.catch(fail)
      } catch (error) {
        return fail(error)
      }
    }
    try {
      await port.stream(call, signal, handlePart)
    } catch (error) {
      settle(error instanceof ModelError && !error.retryable ? 'refused' : 'failed')
      throw error
    }
    settle('failed')
  }
  return { ...port, stream }
}
