import IconDownload from '@tabler/icons-react/icons/IconDownload'
import { isInlineImage, type Attachment } from './attachment.ts'

/** Attachment of a sent message. Images are displayed; other files can be downloaded if the message contains their content. */
export function AttachedFile({ file }: { file: Attachment }) {
  const name = file.filename ?? file.mediaType
  if (isInlineImage(file)) return <img className="attachment" src={file.url} alt={file.filename ?? 'Attached image'} />
  if (!file.url.startsWith('data:')) return <p className="quiet">File: {name}</p>
  return (
    <p>
      <a href={file.url} download={name} className="attached-file">
        <IconDownload aria-hidden size={16} stroke={1.6} /> {name}
      </a>
    </p>
  )
}
