import { Link } from '@tanstack/react-router'
import type { UIMessage } from 'ai'
import { count, money } from '../../parts/words.tsx'
import { readMetadata } from './turn.ts'

const ends: Record<string, string> = {
  stopped: 'stopped',
  error: 'failed',
  step_limit: 'ended at the step limit',
  time_limit: 'ended at the time limit',
  awaiting_user: 'waiting for you',
}

/** Descriptions of finish reasons with which the model provider cut an answer short. */
const cuts: Record<string, string> = {
  length: 'cut at the output limit of the model',
  'content-filter': 'cut by the content filter of the model',
}

/** Usage and cost of a turn, and how it ended unless it ended normally. */
export function Usage({ message }: { message: UIMessage }) {
  const metadata = readMetadata(message)
  const { totalMessageUsage: usage, totalMessageCost: cost, modelId, endReason, runId } = metadata
  const details = [
    endReason !== undefined && ends[endReason],
    endReason === 'natural' && cuts[metadata.lastStepFinishReason ?? ''],
    modelId,
    usage?.totalTokens !== undefined && `${count(usage.inputTokens)} in, ${count(usage.outputTokens)} out`,
    cost !== undefined && cost > 0 && money(cost),
  ].filter(Boolean)
  if (details.length === 0 && runId === undefined) return null
  return (
    <p className="usage quiet">
      {details.join(' · ')}{' '}
      {runId !== undefined && (
        <Link to="/runs/$runId" params={{ runId }}>
          Run
        </Link>
      )}
    </p>
  )
}
