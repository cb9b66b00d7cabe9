import { Link } from '@tanstack/react-router'
import type { UIMessage } from 'ai'
import { count, money } from '../../parts/words.tsx'
import { metadataOf } from './turn.ts'

const ends: Record<string, string> = {
  stopped: 'stopped',
  error: 'failed',
  step_limit: 'ended at the step limit',
  time_limit: 'ended at the time limit',
  awaiting_user: 'waits for you',
}

/** What a turn used, what it cost, and how it ended where that is not the usual way. */
export function Usage({ message }: { message: UIMessage }) {
  const { totalMessageUsage: usage, totalMessageCost: cost, modelId, endReason, runId } = metadataOf(message)
  const said = [
    endReason !== undefined && ends[endReason],
    modelId,
    usage?.totalTokens !== undefined && `${count(usage.inputTokens)} in, ${count(usage.outputTokens)} out`,
    cost !== undefined && cost > 0 && money(cost),
  ].filter(Boolean)
  if (said.length === 0 && runId === undefined) return null
  return (
    <p className="usage quiet">
      {said.join(' · ')}{' '}
      {runId !== undefined && (
        <Link to="/runs/$runId" params={{ runId }}>
          Run
        </Link>
      )}
    </p>
  )
}
