import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = { title: string; onClose: () => void; children: ReactNode; size?: string }

/**
 * Open dialog. Scrolling is not locked, because the lock writes a style element into the page. The head is no `header`
 * element, which would be a second banner beside that of the page.
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
