import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { Suspense, useState, type ReactElement } from 'react'

type Props = Omit<ActionIconProps, 'children'> & {
  label: string
  icon: ReactElement
  /** Renders the menu around its button. */
  children: (button: ReactElement) => ReactElement
}

/** Button that opens a menu, whose script loads on first use. */
export function LazyMenu({ label, icon, children, ...props }: Props) {
  const [isRequested, setRequested] = useState(false)
  const button = (
    <ActionIcon {...props} aria-label={label} onClick={() => setRequested(true)}>
      {icon}
    </ActionIcon>
  )
  return isRequested ? <Suspense fallback={button}>{children(button)}</Suspense> : button
}
