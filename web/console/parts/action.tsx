import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { explain, findRemedy } from '../access/failure.ts'
import { promptUser } from './dialogs/dialogs.ts'
import { showError } from './toasts/toasts.ts'

type Props = {
  onAct: () => Promise<unknown>
  children: ReactNode
  /** Question that the user must confirm first. The confirm button of the dialog has the same label as this button. */
  confirm?: string
  isPrimary?: boolean
  disabled?: boolean
  label?: string
  icon?: ReactNode
}

/** Button that is disabled while its action runs and shows the error of a failed action. */
export function Action({ onAct, children, confirm, isPrimary = false, disabled = false, label, icon }: Props) {
  const [isBusy, setBusy] = useState(false)
  const runAction = async (): Promise<void> => {
    const confirmLabel = typeof children === 'string' ? children : 'Continue'
    if (confirm !== undefined && (await promptUser({ question: confirm, confirmLabel })) === undefined) return
    setBusy(true)
    try {
      await onAct()
    } catch (error) {
      showError(explain(error), findRemedy(error))
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
      {children}
    </Button>
  )
}
