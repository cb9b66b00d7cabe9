import { Link } from '@tanstack/react-router'
import type { UIMessage } from 'ai'
import { count, money } from '../../parts/words.tsx'
import { readMetadata } from './turn.ts'

const endReasons: Record<string, string> = {
  stopped: 'stopped',
  error: 'failed',
  step_limit: 'ended at the step limit',
  time_limit: 'ended at the time limit',
  awaiting_user: 'waiting for you',
}

/** Descriptions of the finish reasons of truncated answers. */
const truncations: Record<string, string> = {
  length: "truncated at the model's output limit",
  'content-filter': "stopped by the model's content filter",
}

/** Usage and cost of a turn, and its end reason unless the turn ended normally. */
export function Usage({ message }: { message: UIMessage }) {
  const metadata = readMetadata(message)
  const { totalMessageUsage: usage, totalMessageCost: cost, modelId, endReason, runId } = metadata
  const details = [
    endReason !== undefined && endReasons[endReason],
    endReason === 'natural' && truncations[metadata.lastStepFinishReason ?? ''],
    modelId,
    usage?.totalTokens !== undefined && `${count(usage.inputTokens)} in, ${count(usage.outputTokens)} out`,
    cost !== undefined && cost > 0 && money(cost),
  ].filter(Boolean)
  if (details.length === 0 && runId === undefined) return null
  return (
    <p className="usage quiet">
      {details.join(' · ')} {runId !== undefined && <Link to={`/runs/${runId}`}>Run</Link>}
    </p>
  )
}
