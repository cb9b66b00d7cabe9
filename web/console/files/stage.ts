import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { createApi } from '../access/calls.ts'

/** Client of the blob store. It sends no API key, because each upload has a signed token. */
const blobStore = createApi((input) => {
  const request = new Request(input)
  request.headers.delete('x-api-key')
  return fetch(request)
})

type Upload = { files: readonly File[]; path: string; message: string; onProgress: (status: string) => void }

/**
 * Uploads the files to the blob store, one at a time, and commits them to the source repository. Returns the committed
 * paths. Throws if a file could not be committed.
 */
export async function upload({ files, path, message, onProgress }: Upload): Promise<string[]> {
  const blobs: { url: string; name: string }[] = []
  for (const [index, file] of files.entries()) {
    onProgress(`Uploading ${file.name} (${index + 1} of ${files.length}) …`)
    blobs.push({ url: await uploadFile(file), name: file.name })
  }
  onProgress('Committing …')
  const body = { ...forAccount(), files: blobs, path, message }
  const { uploaded, errors } = await api.POST('/api/sandboxes/files', { body })
  if (errors !== undefined && errors.length > 0) throw new Error(`Could not commit: ${errors.join(', ')}`)
  return uploaded.map((file) => file.path)
}

/** Uploads one file to the blob store and returns its URL. */
async function uploadFile(file: File): Promise<string> {
  const payload = { pathname: file.name, clientPayload: null, multipart: false }
  const body = { type: 'blob.generate-client-token' as const, payload }
  const { clientToken } = await api.POST('/api/sandboxes/staged-file', { body })
  const { url } = await blobStore.PUT('/blob/', {
    query: { pathname: file.name },
    headers: {
      authorization: `Bearer ${String(clientToken)}`,
      'content-type': 'application/octet-stream',
      'x-content-type': file.type || 'application/octet-stream',
    },
    body: file,
    bodySerializer: () => file,
  })
  return url
}
