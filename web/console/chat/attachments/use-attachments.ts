import { useState, type ClipboardEvent, type DragEvent } from 'react'
import { showError } from '../../parts/toasts/toasts.ts'
import { maxAttachmentCharacters, type Attachment } from './attachment.ts'

/** Attachments of the unsent message: files that the user selects, pastes or drops. */
export function useAttachments(initial: readonly Attachment[]) {
  const [files, setFiles] = useState(initial)
  const attach = async (newFiles: readonly File[]): Promise<void> => {
    try {
      const { readFiles } = await import('./read-files.ts')
      const next = [...files, ...(await readFiles(newFiles))]
      if (next.reduce((sum, { url }) => sum + url.length, 0) > maxAttachmentCharacters)
        throw new Error('The attachments are too large for one message. Send some of them in another message.')
      setFiles(next)
    } catch (error) {
      showError(error)
    }
  }
  const attachFrom = (event: ClipboardEvent | DragEvent, data: DataTransfer): void => {
    if (data.files.length === 0) return
    event.preventDefault()
    void attach([...data.files])
  }
  return {
    files,
    attach: (newFiles: readonly File[]) => void attach(newFiles),
    remove: (index: number) => setFiles(files.toSpliced(index, 1)),
    clear: () => setFiles([]),
    onPaste: (event: ClipboardEvent) => attachFrom(event, event.clipboardData),
    onDrop: (event: DragEvent) => attachFrom(event, event.dataTransfer),
  }
}
