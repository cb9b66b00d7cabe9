import { createClient } from '../../../client/index.ts'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { apiOrigin } from '../access/settings.ts'

/** An upload is signed by its own token. */
const store = createClient({
  baseUrl: apiOrigin,
  apiKey: '',
  fetch: (input) => {
    const request = new Request(input)
    request.headers.delete('x-api-key')
    return fetch(request)
  },
})

type Upload = { files: readonly File[]; path: string; message: string; onProgress: (words: string) => void }

/** Stages the files one after the other and commits them to the source repository; answers the paths that are there. */
export async function upload({ files, path, message, onProgress }: Upload): Promise<string[]> {
  const staged: { url: string; name: string }[] = []
  for (const [at, file] of files.entries()) {
    onProgress(`Sending ${file.name} (${at + 1} of ${files.length}) …`)
    staged.push({ url: await stage(file), name: file.name })
  }
  onProgress('Committing …')
  const body = { ...forAccount(), files: staged, path, message }
  const { uploaded, errors } = await read(api.POST('/api/sandboxes/files', { body }))
  if (errors !== undefined && errors.length > 0) throw new Error(`Not committed: ${errors.join(', ')}`)
  return uploaded.map(({ path: at }) => at)
}

/** Sends one file to the store; answers its address there. */
async function stage(file: File): Promise<string> {
  const payload = { pathname: file.name, clientPayload: null, multipart: false }
  const { clientToken } = await read(
    api.POST('/api/sandboxes/staged-file', { body: { type: 'blob.generate-client-token', payload } }),
  )
  const { url } = await read(
    store.PUT('/blob/', {
      params: { query: { pathname: file.name } },
      headers: {
        authorization: `Bearer ${String(clientToken)}`,
        'content-type': 'application/octet-stream',
        'x-content-type': file.type || 'application/octet-stream',
      },
      body: file,
      bodySerializer: () => file,
    }),
  )
  return url
}
