import { Button, Group, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../access/api.ts'
import { read } from '../../access/failure.ts'
import { Action } from '../../parts/action.tsx'
import { Dialog } from '../../parts/dialogs/dialog.tsx'
import { CheckField } from '../../parts/check-field.tsx'
import { Form, SelectField, type Fields } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { showSuccess } from '../../parts/toasts/toasts.ts'
import { formatDateTime } from '../../parts/words.tsx'
import type { ChatIds } from '../live/turn-request.ts'

type Props = { chatIds: ChatIds; onClose: () => void }

/** Creates and revokes read-only links to the current state of the chat. The URL of a link is shown only once. */
export function ShareDialog({ chatIds, onClose }: Props) {
  const queries = useQueryClient()
  const [url, setUrl] = useState<string>()
  const key = ['shares', chatIds.chatId]
  const shares = useQuery({
    queryKey: key,
    queryFn: async () =>
      (await read(api.GET('/api/sessions/{sessionId}/chats/{chatId}/shares', { params: { path: chatIds } }))).shares,
  })
  const create = async (fields: Fields): Promise<void> => {
    const body = { expiresInDays: fields.number('days') ?? 30, toolOutputs: fields.isOn('tools') }
    const params = { path: chatIds }
    setUrl((await read(api.POST('/api/sessions/{sessionId}/chats/{chatId}/shares', { params, body }))).url)
    await queries.invalidateQueries({ queryKey: key })
  }
  const revoke = async (shareId: string): Promise<void> => {
    const params = { path: { ...chatIds, shareId } }
    await read(api.DELETE('/api/sessions/{sessionId}/chats/{chatId}/shares/{shareId}', { params }))
    await queries.invalidateQueries({ queryKey: key })
  }
  return (
    <Dialog title="Share this chat" onClose={onClose}>
      <Text size="sm" c="dimmed" mb="sm">
        Anyone with the link can read the chat as it is now, until the link expires or you revoke it.
      </Text>
      <Form submit="Create a link" onSubmit={create}>
        <SelectField name="days" label="Expires after" defaultValue="30">
          <option value="1">1 day</option>
          <option value="7">7 days</option>
          <option value="30">30 days</option>
          <option value="365">365 days</option>
        </SelectField>
        <CheckField name="tools" label="Include tool inputs and results" />
      </Form>
      {url !== undefined && <NewLink url={url} />}
      <Loaded query={shares}>
        {(links) =>
          links.length > 0 && (
            <ul className="plain-list links" aria-label="Links">
              {links.map(({ id, expiresAt, toolOutputs }) => (
                <li key={id}>
                  <span>
                    Expires {formatDateTime(expiresAt)}
                    {toolOutputs && ', with tool inputs and results'}
                  </span>
                  <Action onAct={() => revoke(id)}>Revoke</Action>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  )
}

function NewLink({ url }: { url: string }) {
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(url)
    showSuccess('Copied.')
  }
  return (
    <Group gap="xs" align="end" mt="md" wrap="nowrap">
      <TextInput readOnly label="Link, shown once" value={url} flex={1} onFocus={({ target }) => target.select()} />
      <Button variant="default" onClick={() => void copy()}>
        Copy
      </Button>
    </Group>
  )
}
