import { Button, Group, TextInput } from '@mantine/core'
import IconCheck from '@tabler/icons-react/icons/IconCheck'
import IconX from '@tabler/icons-react/icons/IconX'
import { useState } from 'react'
import { toRecord } from '../../access/json.ts'
import { Output } from '../../parts/output.tsx'
import { Status } from '../../parts/words.tsx'
import { readToolName, toText, type ToolPart } from './tool-part.ts'

/** Called with the user's decision on a requested tool call. */
export type ApprovalHandler = (decision: { id: string; approved: boolean; reason?: string | undefined }) => void

type Props = { part: ToolPart; isAwaitingUser: boolean; onDecide: ApprovalHandler }

/** Tool call that runs only if the user approves it. */
export function Approval({ part, isAwaitingUser, onDecide }: Props) {
  const [reason, setReason] = useState('')
  const name = readToolName(part)
  const command = toRecord(part.input)['command']
  const decide = (approved: boolean): void =>
    onDecide({ id: part.approval?.id ?? '', approved, reason: reason.trim() || undefined })
  return (
    <section className="question approval" aria-label={`Approval of ${name}`}>
      <Group justify="space-between" mb="xs">
        <strong>The agent wants to use {name}</strong>
        <Status of={isAwaitingUser ? 'waiting for you' : 'not answered'} />
      </Group>
      <Output text={typeof command === 'string' ? `$ ${command}` : toText(JSON.stringify(part.input, null, 2))} />
      {isAwaitingUser && (
        <>
          <TextInput
            className="field"
            label="Reason (optional)"
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
          <Group gap="xs">
            <Button size="xs" leftSection={<IconCheck aria-hidden size={14} />} onClick={() => decide(true)}>
              Approve
            </Button>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconX aria-hidden size={14} />}
              onClick={() => decide(false)}
            >
              Deny
            </Button>
          </Group>
        </>
      )}
    </section>
  )
}
