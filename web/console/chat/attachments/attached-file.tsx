import IconDownload from '@tabler/icons-react/icons/IconDownload'
import { isPicture, type Attachment } from './attachment.ts'

/** A file of a sent message: a picture is shown, another file can be downloaded if the message contains it. */
export function AttachedFile({ file }: { file: Attachment }) {
  const name = file.filename ?? file.mediaType
  if (isPicture(file)) return <img className="attachment" src={file.url} alt={file.filename ?? 'Attached image'} />
  if (!file.url.startsWith('data:')) return <p className="quiet">File: {name}</p>
  return (
    <p>
      <a href={file.url} download={name} className="attached-file">
        <IconDownload aria-hidden size={16} stroke={1.6} /> {name}
      </a>
    </p>
  )
}
