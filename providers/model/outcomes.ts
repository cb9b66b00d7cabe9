import type { CallOutcome } from '../../domain/models.ts'
import { ModelError, type ModelCall, type ModelPart, type ModelPort } from './index.ts'

type ReportOutcome = (call: { modelId: string; outcome: CallOutcome }) => void

/** Wraps the port and reports the outcome of each call, except for calls that the caller aborted. */
export function reportOutcomes<P extends Pick<ModelPort, 'stream'>>(port: P, onOutcome: ReportOutcome): P {
  return { ...port, stream: (call: ModelCall, signal: AbortSignal) => streamAndReport(port, call, signal, onOutcome) }
}

// A generator would be slower, and every part of every response passes through this function.
function streamAndReport(
  port: Pick<ModelPort, 'stream'>,
  call: ModelCall,
  signal: AbortSignal,
  onOutcome: ReportOutcome,
): AsyncIterable<ModelPart> {
  const report = (outcome: CallOutcome): void => {
    if (!signal.aborted) onOutcome({ modelId: call.modelId, outcome })
  }
  return {
    [Symbol.asyncIterator]: () => {
      const parts = port.stream(call, signal)[Symbol.asyncIterator]()
      let isReported = false
      const reportResult = (result: IteratorResult<ModelPart>): IteratorResult<ModelPart> => {
        const outcome = readOutcome(result)
        if (outcome !== undefined && !isReported) {
          isReported = true
          report(outcome)
        }
        return result
      }
      const reportError = (error: unknown): never => {
        if (!isReported) report(error instanceof ModelError && !error.retryable ? 'refused' : 'failed')
        throw error
      }
      return {
        next: () => parts.next().then(reportResult, reportError),
        return: async () => (await parts.return?.()) ?? { done: true, value: undefined },
      }
    },
  }
}

function readOutcome(result: IteratorResult<ModelPart>): CallOutcome | undefined {
  if (result.done === true) return 'failed'
  if (result.value.type === 'finish') return 'answered'
  return result.value.type === 'error' ? 'failed' : undefined
}
