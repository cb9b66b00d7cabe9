import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Form, SelectField, TextArea, TextField } from '../parts/form.tsx'
import { LoadedPage } from '../parts/loaded.tsx'
import { Page, Section } from '../parts/page.tsx'
import { useNames } from '../people/names.ts'
import { ProjectTask } from './project-task.tsx'

export function ProjectPage() {
  const { projectId = '' } = useParams({ strict: false })
  const queries = useQueryClient()
  const formatName = useNames()
  const path = { projectId }
  const query = useQuery({
    queryKey: ['projects', projectId],
    queryFn: () => read(api.GET('/api/projects/{projectId}', { params: { path } })),
    refetchInterval: 10_000,
  })
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['projects', projectId] })
  return (
    <LoadedPage title="Project" query={query}>
      {({ project, tasks, collaborators }) => (
        <Page title={project.name}>
          <Section title="Tasks">
            {tasks.length === 0 && <p className="empty">No tasks yet.</p>}
            <ul className="plain-list">
              {tasks.map((task) => (
                <ProjectTask key={task.id} task={task} people={collaborators} onChange={refresh} />
              ))}
            </ul>
            <details className="fold">
              <summary>New task</summary>
              <Form
                submit="Add"
                resets
                onSubmit={async (fields) => {
                  const body = {
                    title: fields.text('title'),
                    description: fields.optional('description') ?? null,
                    due_date: fields.optional('due') ?? null,
                    assignee_account_id: fields.optional('assignee') ?? null,
                  }
                  await read(api.POST('/api/projects/{projectId}/tasks', { params: { path }, body }))
                  await refresh()
                }}
              >
                <TextField name="title" label="Title" required />
                <TextArea name="description" label="Description" />
                <TextField name="due" label="Due" type="date" />
                <SelectField name="assignee" label="Assignee">
                  <option value="">Unassigned</option>
                  {collaborators.map(({ account_id: id, name }) => (
                    <option key={id} value={id}>
                      {formatName({ id, name })}
                    </option>
                  ))}
                </SelectField>
              </Form>
            </details>
          </Section>
          <Section title="Collaborators">
            <ul>
              {collaborators.map(({ account_id: id, name }) => (
                <li key={id}>{formatName({ id, name })}</li>
              ))}
            </ul>
            <details className="fold">
              <summary>Add a collaborator</summary>
              <Form
                submit="Add"
                resets
                onSubmit={async (fields) => {
                  const body = { email: fields.text('email') }
                  await read(api.POST('/api/projects/{projectId}/collaborators', { params: { path }, body }))
                  await refresh()
                }}
              >
                <TextField name="email" label="Email address" type="email" required />
              </Form>
            </details>
          </Section>
        </Page>
      )}
    </LoadedPage>
  )
}
