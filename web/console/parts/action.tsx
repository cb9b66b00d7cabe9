import { useState, type ReactNode } from 'react'
import { explain } from '../access/failure.ts'

type Props = {
  onAct: () => Promise<unknown>
  children: ReactNode
  /** Question to confirm before the action runs. */
  confirm?: string
  className?: string
  disabled?: boolean
  label?: string
}

/** Button that is disabled while its action runs and shows the error of a failed action. */
export function Action({ onAct, children, confirm, className = 'plain small', disabled = false, label }: Props) {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const act = async (): Promise<void> => {
    if (confirm !== undefined && !globalThis.confirm(confirm)) return
    setBusy(true)
    setFault(undefined)
    try {
      await onAct()
    } catch (error) {
      setFault(explain(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <span className="action">
      <button
        type="button"
        className={className}
        disabled={isBusy || disabled}
        aria-label={label}
        onClick={() => void act()}
      >
        {children}
      </button>
      {fault !== undefined && (
        <span className="wrong" role="alert">
          {fault}
        </span>
      )}
    </span>
  )
}
