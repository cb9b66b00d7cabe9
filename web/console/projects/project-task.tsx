import { useState } from 'react'
import { api } from '../access/api.ts'
import type { Data } from '../access/calls.ts'
import { refreshAfter, useGet } from '../access/queries.ts'
import { Action } from '../parts/buttons/action.tsx'
import { Form, TextArea } from '../parts/form.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { countOf, formatDateTime, Time } from '../parts/words.tsx'

const route = '/api/projects/{projectId}/tasks/{taskId}'
const commentsRoute = `${route}/comments` as const

type Project = Data<'get', '/api/projects/{projectId}'>
type Props = { task: Project['tasks'][number]; people: Project['collaborators'] }

export function ProjectTask({ task, people }: Props) {
  const [isOpen, setOpen] = useState(false)
  const path = { projectId: task.project_id, taskId: task.id }
  const isDone = task.completed_at !== null
  const assignee = people.find(({ account_id: id }) => id === task.assignee_account_id)?.name
  const details = [
    assignee,
    task.due_date !== null && `due ${formatDateTime(task.due_date).split(',').slice(0, 2).join(',')}`,
    countOf(task.comment_count, 'comment'),
  ].filter(Boolean)
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          {isDone ? <del>{task.title}</del> : task.title} <small className="quiet">{details.join(' · ')}</small>
        </summary>
        {task.description !== null && <p className="verbatim">{task.description}</p>}
        <div className="buttons">
          <Action
            name={isDone ? 'Reopen' : 'Mark as done'}
            onAct={() => refreshAfter(api.PATCH(route, { path, body: { completed: !isDone } }), 'project')}
          />
          <Action
            name="Delete"
            confirm="Delete this task with its comments?"
            onAct={() => refreshAfter(api.DELETE(route, { path }), 'project')}
          />
        </div>
        {isOpen && <Comments {...path} />}
      </details>
    </li>
  )
}

function Comments(path: { projectId: string; taskId: string }) {
  const query = useGet('comments', commentsRoute, { path, query: { limit: 100 } })
  return (
    <>
      <Loaded query={query}>
        {({ comments }) => (
          <ul className="plain-list">
            {comments.map(({ id, author_name: author, body, created_at: at }) => (
              <li key={id}>
                <small>
                  {author ?? 'A collaborator'}, <Time at={at} />
                </small>
                <p className="verbatim">{body}</p>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <Form
        submit="Comment"
        resets
        onSubmit={(fields) => {
          const body = { body: fields.text('body') }
          return refreshAfter(api.POST(commentsRoute, { path, body }), 'comments', 'project')
        }}
      >
        <TextArea name="body" label="Comment" required />
      </Form>
    </>
  )
}
