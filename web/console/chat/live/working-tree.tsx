import { useQuery } from '@tanstack/react-query'
import { api } from '../../access/api.ts'
import { ApiClientError } from '../../access/failure.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { countOf } from '../../parts/words.tsx'
import { Patch } from '../parts/file-lines.tsx'

/** Changes in the session's working tree, or the last known changes if the sandbox hibernates. */
export function WorkingTree({ sessionId, isBusy }: { sessionId: string; isBusy: boolean }) {
  const diff = useQuery({ queryKey: ['diff', sessionId, isBusy], queryFn: () => readDiff(sessionId), gcTime: 0 })
  return (
    <div className="working-tree">
      <Loaded query={diff}>
        {({ files, summary }) =>
          files.length === 0 ? (
            <p className="empty">No changes since the last commit of the workspace.</p>
          ) : (
            <>
              <p className="quiet">
                {countOf(summary.totalFiles, 'file')}, +{summary.totalAdditions} −{summary.totalDeletions}
              </p>
              {files.map(({ path, status, additions, deletions, diff: text }) => (
                <details key={path} open={files.length < 10}>
                  <summary>
                    <code>{path}</code>{' '}
                    <small className="quiet">
                      {status} +{additions} −{deletions}
                    </small>
                  </summary>
                  <Patch text={text} />
                </details>
              ))}
            </>
          )
        }
      </Loaded>
    </div>
  )
}

async function readDiff(sessionId: string) {
  const path = { sessionId }
  try {
    return await api.GET('/api/sessions/{sessionId}/diff', { path })
  } catch (error) {
    if (!(error instanceof ApiClientError) || error.status >= 500) throw error
    return (await api.GET('/api/sessions/{sessionId}/diff/cached', { path })).data
  }
}
