import { NavLink } from '@mantine/core'
import IconDownload from '@tabler/icons-react/icons/IconDownload'
import IconFile from '@tabler/icons-react/icons/IconFile'
import IconFolder from '@tabler/icons-react/icons/IconFolder'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useGet } from '../access/queries.ts'
import { Action } from '../parts/buttons/action.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Output } from '../parts/output.tsx'
import { Page, Section } from '../parts/page.tsx'
import { bytes } from '../parts/words.tsx'
import { CommitHistory } from './history.tsx'
import { saveFile } from './save-file.ts'
import { listChildren } from './tree.ts'

type Search = { path?: string }

/** Files of a session's repository: its folders, the content of a file, and the history of the selected file or folder. */
export function FilesPage() {
  const { sessionId = '' } = useParams({ strict: false })
  const { path = '' }: Search = useSearch({ strict: false })
  const tree = useGet('files', '/api/sessions/{sessionId}/files', { path: { sessionId } })
  return (
    <Page title="Files" lead="The repository of this session, as of the last pushed commit.">
      <FolderBreadcrumbs sessionId={sessionId} path={path} />
      <Loaded query={tree}>
        {({ entries, isTruncated }) => {
          const isFile = entries.some((entry) => entry.path === path && entry.type === 'blob')
          return (
            <div className="two">
              {isFile ? (
                <Content sessionId={sessionId} path={path} />
              ) : (
                <Section title={path === '' ? 'All files' : path}>
                  <Folder sessionId={sessionId} entries={listChildren(entries, path)} />
                  {isTruncated && <p className="quiet">The list shows only the first entries.</p>}
                </Section>
              )}
              <CommitHistory sessionId={sessionId} path={path} />
            </div>
          )
        }}
      </Loaded>
    </Page>
  )
}

function FolderBreadcrumbs({ sessionId, path }: { sessionId: string; path: string }) {
  const names = path === '' ? [] : path.split('/')
  return (
    <nav aria-label="Folder" className="buttons">
      <Link to={`/files/${sessionId}`}>Repository</Link>
      {names.map((name, index) => (
        <span key={index}>
          /{' '}
          <Link to={`/files/${sessionId}`} search={{ path: names.slice(0, index + 1).join('/') }}>
            {name}
          </Link>
        </span>
      ))}
    </nav>
  )
}

type FolderProps = { sessionId: string; entries: ReturnType<typeof listChildren> }

function Folder({ sessionId, entries }: FolderProps) {
  if (entries.length === 0) return <p className="empty">This folder is empty.</p>
  return (
    <ul className="plain-list" aria-label="Files">
      {entries.map(({ path, name, type, size }) => (
        <li key={path}>
          <NavLink
            label={name}
            leftSection={
              type === 'blob' ? <IconFile aria-hidden size={16} /> : <IconFolder aria-hidden size={16} stroke={1.6} />
            }
            rightSection={size === undefined ? undefined : <small className="quiet">{bytes(size)}</small>}
            renderRoot={(props) => <Link to={`/files/${sessionId}`} search={{ path }} {...props} />}
          />
        </li>
      ))}
    </ul>
  )
}

function Content({ sessionId, path }: { sessionId: string; path: string }) {
  const navigate = useNavigate()
  const input = { path: { sessionId }, query: { path } }
  const file = useGet('file', '/api/sessions/{sessionId}/files/content', input)
  const folder = path.split('/').slice(0, -1).join('/')
  return (
    <Section
      title={path}
      actions={
        <>
          <Action name="Close" onAct={() => navigate({ to: `/files/${sessionId}`, search: { path: folder } })} />
          {file.data !== undefined && (
            <Action
              name="Download"
              icon={<IconDownload aria-hidden size={14} />}
              onAct={() => saveFile(path, file.data)}
            />
          )}
        </>
      }
    >
      <Loaded query={file}>
        {({ content, encoding }) =>
          encoding === 'base64' ? (
            <p className="quiet">This file is not text. Download it to open it.</p>
          ) : (
            <Output text={content} label={path} className="file-content" />
          )
        }
      </Loaded>
    </Section>
  )
}
