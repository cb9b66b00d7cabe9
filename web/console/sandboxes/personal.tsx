import { useNavigate } from '@tanstack/react-router'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { refreshAfter, useGet } from '../access/queries.ts'
import { UploadForm } from '../files/upload-form.tsx'
import { Action } from '../parts/buttons/action.tsx'
import { TextField } from '../parts/form.tsx'
import { LoadedSection } from '../parts/loaded.tsx'
import { Facts, Fold } from '../parts/page.tsx'
import { Status } from '../parts/words.tsx'

export function PersonalSandbox() {
  const navigate = useNavigate()
  const query = useGet('personal-sandbox', '/api/sandboxes', { query: forAccount() })
  const setUp = async (): Promise<void> => {
    const { runId } = await api.POST('/api/sandboxes/setup', { body: forAccount() })
    await navigate({ to: `/runs/${runId}` })
  }
  return (
    <LoadedSection title="Personal" query={query}>
      {({ sandboxes, snapshot_id: snapshot, github_repo: repository, filetree: files }) => (
        <>
          <Facts
            facts={[
              [
                'Status',
                sandboxes[0] === undefined ? 'not running' : <Status key="status" of={sandboxes[0].sandboxStatus} />,
              ],
              ['Snapshot', snapshot === null ? 'none' : <code key="snapshot">{snapshot}</code>],
              ['Source', repository ?? 'none'],
              ['Files', files === null ? 'none' : `${files.filter(({ type }) => type === 'blob').length}`],
            ]}
          />
          <div className="buttons">
            <Action name={snapshot === null ? 'Set up' : 'Set up again'} onAct={setUp} />
            {snapshot !== null && (
              <Action name="Delete" confirm="Delete the personal sandbox and its snapshot?" onAct={remove} />
            )}
          </div>
          {repository !== null && (
            <Fold title="Add files">
              <UploadForm selectFolder={(fields) => fields.text('folder')}>
                <TextField name="folder" label="Folder" placeholder="Root folder" spellCheck={false} />
              </UploadForm>
            </Fold>
          )}
          {files !== null && files.length > 0 && (
            <details>
              <summary>Files</summary>
              <ul className="plain-list">
                {files.slice(0, 500).map(({ path, type }) => (
                  <li key={path}>
                    <code>
                      {path}
                      {type === 'tree' ? '/' : ''}
                    </code>
                  </li>
                ))}
              </ul>
            </details>
          )}
        </>
      )}
    </LoadedSection>
  )
}

function remove(): Promise<unknown> {
  return refreshAfter(api.DELETE('/api/sandboxes', { body: forAccount() }), 'personal-sandbox')
}
