import IconFile from '@tabler/icons-react/icons/IconFile'
import IconX from '@tabler/icons-react/icons/IconX'
import { IconButton } from '../../parts/buttons/icon-button.tsx'
import { isInlineImage, type Attachment } from './attachment.ts'

/** Attachments of the unsent message, each with a button that removes it. */
export function Previews({ files, onRemove }: { files: readonly Attachment[]; onRemove: (index: number) => void }) {
  if (files.length === 0) return null
  return (
    <ul className="previews" aria-label="Attachments">
      {files.map((file, index) => (
        <li key={index}>
          {isInlineImage(file) ? <img src={file.url} alt="" /> : <IconFile aria-hidden size={18} stroke={1.6} />}
          <span>{file.filename}</span>
          <IconButton label={`Remove ${file.filename ?? 'the file'}`} Icon={IconX} onClick={() => onRemove(index)} />
        </li>
      ))}
    </ul>
  )
}
