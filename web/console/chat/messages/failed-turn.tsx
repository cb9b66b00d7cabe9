import { Alert, Button } from '@mantine/core'
import type { Data } from '../../access/calls.ts'
import { useGet } from '../../access/queries.ts'

const route = '/api/runs/{runId}/timeline'

type Props = {
  runId: string
  /** Requests another answer; undefined while a turn runs. */
  onRetry: (() => void) | undefined
}

/** Cause of a failed turn, read from its run, with a button that retries the answer. */
export function FailedTurn({ runId, onRetry }: Props) {
  const { data } = useGet('run', route, { path: { runId } }, { staleTime: Infinity })
  return (
    <Alert color="red" className="failed-turn" title="The answer failed">
      {data !== undefined && <p>{findCause(data)}</p>}
      {onRetry !== undefined && (
        <Button size="xs" variant="default" onClick={onRetry}>
          Retry
        </Button>
      )}
    </Alert>
  )
}

/** Returns the last step error, which contains the provider's message, or else the generic error of the run. */
function findCause({ run, entries }: Data<'get', typeof route>): string {
  const stepError = entries.findLast(({ error }) => error !== null)?.error?.message
  return stepError ?? run.error?.message ?? 'The cause is no longer available.'
}
