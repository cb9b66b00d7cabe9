import { Notifications, notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import type { Remedy } from '../../access/failure.ts'
import { RemedyLink } from '../remedy-link.tsx'
import { takeToasts, useToasts } from './toasts.ts'

const doneMs = 4000
const faultMs = 10_000

export function ToastList() {
  const waiting = useToasts()
  useEffect(() => {
    if (waiting.length === 0) return
    for (const { message: text, isFault, remedy } of takeToasts()) {
      const message = remedy === undefined ? text : <WithRemedy text={text} remedy={remedy} />
      notifications.show({ message, color: isFault ? 'red' : 'green', autoClose: isFault ? faultMs : doneMs })
    }
  }, [waiting])
  return <Notifications position="bottom-right" />
}

function WithRemedy({ text, remedy }: { text: string; remedy: Remedy }) {
  return (
    <>
      {text} <RemedyLink remedy={remedy} />
    </>
  )
}
