import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Action } from '../parts/action.tsx'
import { Form, TextArea } from '../parts/form.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { formatDateTime, Time } from '../parts/words.tsx'

type Task = {
  id: string
  project_id: string
  title: string
  description: string | null
  due_date: string | null
  assignee_account_id: string | null
  completed_at: string | null
  comment_count: number
}

type Props = {
  task: Task
  people: readonly { account_id: string; name: string | null }[]
  onChange: () => Promise<void>
}

export function ProjectTask({ task, people, onChange }: Props) {
  const [isOpen, setOpen] = useState(false)
  const path = { projectId: task.project_id, taskId: task.id }
  const isDone = task.completed_at !== null
  const assignee = people.find(({ account_id: id }) => id === task.assignee_account_id)?.name
  const details = [
    assignee,
    task.due_date !== null && `due ${formatDateTime(task.due_date).split(',').slice(0, 2).join(',')}`,
    `${task.comment_count} ${task.comment_count === 1 ? 'comment' : 'comments'}`,
  ].filter(Boolean)
  return (
    <li className="project-task">
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          {isDone ? <del>{task.title}</del> : task.title} <small className="quiet">{details.join(' · ')}</small>
        </summary>
        {task.description !== null && <p className="verbatim">{task.description}</p>}
        <div className="buttons">
          <Action
            onAct={async () => {
              await read(
                api.PATCH('/api/projects/{projectId}/tasks/{taskId}', {
                  params: { path },
                  body: { completed: !isDone },
                }),
              )
              await onChange()
            }}
          >
            {isDone ? 'Reopen' : 'Mark as done'}
          </Action>
          <Action
            confirm="Delete this task with its comments?"
            onAct={async () => {
              await read(api.DELETE('/api/projects/{projectId}/tasks/{taskId}', { params: { path } }))
              await onChange()
            }}
          >
            Delete
          </Action>
        </div>
        {isOpen && <Comments projectId={task.project_id} taskId={task.id} onChange={onChange} />}
      </details>
    </li>
  )
}

function Comments({
  projectId,
  taskId,
  onChange,
}: {
  projectId: string
  taskId: string
  onChange: () => Promise<void>
}) {
  const queries = useQueryClient()
  const path = { projectId, taskId }
  const queryKey = ['comments', taskId]
  const query = useQuery({
    queryKey,
    queryFn: async () =>
      (
        await read(
          api.GET('/api/projects/{projectId}/tasks/{taskId}/comments', { params: { path, query: { limit: 100 } } }),
        )
      ).comments,
  })
  return (
    <>
      <Loaded query={query}>
        {(comments) => (
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
        onSubmit={async (fields) => {
          const body = { body: fields.text('body') }
          await read(api.POST('/api/projects/{projectId}/tasks/{taskId}/comments', { params: { path }, body }))
          await Promise.all([queries.invalidateQueries({ queryKey }), onChange()])
        }}
      >
        <TextArea name="body" label="Comment" required />
      </Form>
    </>
  )
}
