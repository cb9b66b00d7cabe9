import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = { title: string; onClose: () => void; children: ReactNode; size?: string }

/**
 * Modal dialog. Scrolling is not locked, because the lock adds a style element to the page. The head is not a `header`
 * element, because that would be a second banner landmark.
 */
export function Dialog({ title, onClose, children, size = 'md' }: Props) {
  return (
    <Modal.Root opened onClose={onClose} lockScroll={false} centered size={size} transitionProps={{ duration: 0 }}>
      <Modal.Overlay />
      <Modal.Content>
        <div className="dialog-head">
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
