import { useParams } from '@tanstack/react-router'
import { api } from '../access/api.ts'
import { refreshAfter, useGet } from '../access/queries.ts'
import { Form, SelectField, TextArea, TextField } from '../parts/form.tsx'
import { LoadedPage } from '../parts/loaded.tsx'
import { Fold, Page, Section } from '../parts/page.tsx'
import { useNames } from '../people/names.ts'
import { ProjectTask } from './project-task.tsx'

export function ProjectPage() {
  const { projectId = '' } = useParams({ strict: false })
  const formatName = useNames()
  const path = { projectId }
  const query = useGet('project', '/api/projects/{projectId}', { path }, { refetchInterval: 10_000 })
  return (
    <LoadedPage title="Project" query={query}>
      {({ project, tasks, collaborators }) => (
        <Page title={project.name}>
          <Section title="Tasks">
            {tasks.length === 0 && <p className="empty">No tasks yet.</p>}
            <ul className="plain-list">
              {tasks.map((task) => (
                <ProjectTask key={task.id} task={task} people={collaborators} />
              ))}
            </ul>
            <Fold title="New task">
              <Form
                submit="Add"
                resets
                onSubmit={(fields) => {
                  const body = {
                    title: fields.text('title'),
                    description: fields.optional('description') ?? null,
                    due_date: fields.optional('due') ?? null,
                    assignee_account_id: fields.optional('assignee') ?? null,
                  }
                  return refreshAfter(api.POST('/api/projects/{projectId}/tasks', { path, body }), 'project')
                }}
              >
                <TextField name="title" label="Title" required />
                <TextArea name="description" label="Description" />
                <TextField name="due" label="Due" type="date" />
                <SelectField
                  name="assignee"
                  label="Assignee"
                  data={[
                    { value: '', label: 'Unassigned' },
                    ...collaborators.map(({ account_id: id, name }) => ({
                      value: id,
                      label: formatName({ id, name }),
                    })),
                  ]}
                />
              </Form>
            </Fold>
          </Section>
          <Section title="Collaborators">
            <ul>
              {collaborators.map(({ account_id: id, name }) => (
                <li key={id}>{formatName({ id, name })}</li>
              ))}
            </ul>
            <Fold title="Add a collaborator">
              <Form
                submit="Add"
                resets
                onSubmit={(fields) => {
                  const body = { email: fields.text('email') }
                  return refreshAfter(api.POST('/api/projects/{projectId}/collaborators', { path, body }), 'project')
                }}
              >
                <TextField name="email" label="Email address" type="email" required />
              </Form>
            </Fold>
          </Section>
        </Page>
      )}
    </LoadedPage>
  )
}
