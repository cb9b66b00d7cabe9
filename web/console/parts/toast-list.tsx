import { Notifications, notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { takeToasts, useToasts } from './toasts.ts'

const doneMs = 4000
const faultMs = 10_000

export function ToastList() {
  const waiting = useToasts()
  useEffect(() => {
    if (waiting.length === 0) return
    for (const { message, isFault } of takeToasts())
      notifications.show({ message, color: isFault ? 'red' : 'green', autoClose: isFault ? faultMs : doneMs })
  }, [waiting])
  return <Notifications position="bottom-right" />
}
