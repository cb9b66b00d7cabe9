import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../access/api.ts'
import { useCredential } from '../access/credential.ts'
import { read } from '../access/failure.ts'
import { saveDraft, newChatKey } from '../chat/drafts.ts'
import { Action } from '../parts/action.tsx'
import { pageSize, useOffsetList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { TemplateForm, type TemplateInput } from './template-form.tsx'

export function TemplatesPage() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { accountId } = useCredential()
  const [editedId, setEditedId] = useState<string>()
  const list = useOffsetList({
    key: ['templates'],
    fetchPage: async (offset) => {
      const { templates, pagination } = await read(
        api.GET('/api/agents/templates', { params: { query: { limit: pageSize, offset } } }),
      )
      return { rows: templates, nextOffset: pagination.next_offset }
    },
  })
  const refreshAfter = async (change: Promise<unknown>): Promise<void> => {
    await change
    setEditedId(undefined)
    await queries.invalidateQueries({ queryKey: ['templates'] })
  }
  return (
    <Page title="Templates" lead="Reusable prompts: your own templates, and templates that others share with you.">
      <details className="fold">
        <summary>New template</summary>
        <TemplateForm
          submit="Save"
          onSubmit={(body: TemplateInput) => refreshAfter(read(api.POST('/api/agents/templates', { body })))}
        />
      </details>
      <Rows list={list} empty={<p>No templates yet. Open “New template” to save your first prompt.</p>}>
        {(templates) => (
          <ul className="cards">
            {templates.map((template) => {
              const { id, title, description, prompt, tags, creator, is_favourite: isFavourite } = template
              const isMine = creator?.id === accountId
              return (
                <li key={id}>
                  <h2>{title}</h2>
                  <p>{description}</p>
                  <p className="quiet">
                    {[
                      isMine ? 'yours' : (creator?.name ?? 'shared'),
                      template.is_private ? 'private' : 'public',
                      `${template.favorites_count} favorites`,
                      ...tags,
                    ].join(' · ')}
                  </p>
                  <details>
                    <summary>Prompt</summary>
                    <p className="verbatim">{prompt}</p>
                  </details>
                  <div className="buttons">
                    <Action
                      onAct={async () => {
                        saveDraft(newChatKey, { text: prompt })
                        await navigate({ to: '/chat' })
                      }}
                    >
                      Use in a chat
                    </Action>
                    <Action
                      onAct={() =>
                        refreshAfter(
                          read(
                            api.PUT('/api/agents/templates/{id}/favorite', {
                              ...withId(id),
                              body: { is_favourite: !isFavourite },
                            }),
                          ),
                        )
                      }
                    >
                      {isFavourite ? '★ Favorite' : '☆ Favorite'}
                    </Action>
                    {isMine && (
                      <>
                        <Action onAct={() => Promise.resolve(setEditedId(editedId === id ? undefined : id))}>
                          Edit
                        </Action>
                        <Action
                          confirm="Delete this template?"
                          onAct={() => refreshAfter(read(api.DELETE('/api/agents/templates/{id}', withId(id))))}
                        >
                          Delete
                        </Action>
                      </>
                    )}
                  </div>
                  {editedId === id && (
                    <TemplateForm
                      submit="Save"
                      template={template}
                      onSubmit={(body) =>
                        refreshAfter(read(api.PATCH('/api/agents/templates/{id}', { ...withId(id), body })))
                      }
                    />
                  )}
                </li>
              )
            })}
          </ul>
        )}
      </Rows>
    </Page>
  )
}

function withId(id: string) {
  return { params: { path: { id } } }
}
