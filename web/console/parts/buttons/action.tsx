import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { promptUser } from '../dialogs/dialogs.ts'
import { showError } from '../toasts/toasts.ts'

type Props = {
  name: string
  onAct: () => unknown
  /** Question that the user must confirm first. The confirm button of the dialog has the name of this button. */
  confirm?: string
  isPrimary?: boolean
  disabled?: boolean
  /** Accessible name, if several buttons have the same name. */
  label?: string | undefined
  icon?: ReactNode
}

/** Button that is disabled while its action runs and shows the error of a failed action. */
export function Action({ name, onAct, confirm, isPrimary = false, disabled = false, label, icon }: Props) {
  const [isBusy, setBusy] = useState(false)
  const runAction = async (): Promise<void> => {
    if (confirm !== undefined && (await promptUser({ question: confirm, confirmLabel: name })) === undefined) return
    setBusy(true)
    try {
      await onAct()
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      size="xs"
      variant={isPrimary ? 'filled' : 'default'}
      loading={isBusy}
      disabled={disabled}
      aria-label={label}
      leftSection={icon}
      onClick={() => void runAction()}
    >
      {name}
    </Button>
  )
}
