import { Notifications, notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import type { Remedy } from '../../access/failure.ts'
import { RemedyLink } from '../remedy-link.tsx'
import { consumeToasts, useToasts } from './toasts.ts'

const successMs = 4000
const errorMs = 10_000

export function ToastList() {
  const pending = useToasts() ?? []
  useEffect(() => {
    if (pending.length === 0) return
    for (const { message: text, isError, remedy } of consumeToasts()) {
      const message = remedy === undefined ? text : <WithRemedy text={text} remedy={remedy} />
      notifications.show({ message, color: isError ? 'red' : 'green', autoClose: isError ? errorMs : successMs })
    }
  }, [pending])
  return <Notifications position="bottom-right" />
}

function WithRemedy({ text, remedy }: { text: string; remedy: Remedy }) {
  return (
    <>
      {text} <RemedyLink remedy={remedy} />
    </>
  )
}
