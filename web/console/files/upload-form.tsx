import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { readConsoleSettings } from '../access/deployment.ts'
import { refresh } from '../access/queries.ts'
import { Form, TextField, type Fields } from '../parts/form.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Notice } from '../parts/page.tsx'
import { bytes, countOf } from '../parts/words.tsx'
import { upload } from './stage.ts'

const maxFileBytes = 100 * 1024 * 1024
const maxFiles = 100

type Props = {
  /** Form fields that select the target folder. */
  children: ReactNode
  selectFolder: (fields: Fields) => string
  accept?: string
}

/** Form that uploads local files and commits them to the source repository of the account. */
export function UploadForm({ children, selectFolder, accept }: Props) {
  const [progress, setProgress] = useState<string>()
  const repository = useQuery({ queryKey: ['upload-repository'], queryFn: readRepository })
  const [formKey, setFormKey] = useState(0)
  return (
    <Loaded query={repository}>
      {({ takesUploads, hasRepository }) => {
        if (!takesUploads)
          return (
            <p className="quiet">
              An external provider stores the files of this deployment. Upload with its client library, as described in
              the personal sandbox guide.
            </p>
          )
        if (!hasRepository)
          return (
            <p className="notice">
              There is no source repository yet. <Link to="/sandboxes">Set up the personal sandbox first</Link>.
            </p>
          )
        return (
          <>
            <Form
              key={formKey}
              submit="Upload"
              onSubmit={async (fields) => {
                const files = fields.files('files')
                requireUploadable(files)
                const path = selectFolder(fields)
                try {
                  const paths = await upload({
                    files,
                    path,
                    message: `Add ${files.length === 1 ? files[0]?.name : countOf(files.length, 'file')}`,
                    onProgress: setProgress,
                  })
                  setProgress(`Uploaded: ${paths.join(', ')}`)
                } catch (error) {
                  setProgress(undefined)
                  throw error
                }
                setFormKey(formKey + 1)
                await refresh('personal-sandbox')
              }}
            >
              {children}
              <TextField
                name="files"
                label="Files"
                type="file"
                multiple
                required
                accept={accept}
                hint={`Up to ${maxFiles} files, ${bytes(maxFileBytes)} each.`}
              />
            </Form>
            {progress !== undefined && <Notice>{progress}</Notice>}
          </>
        )
      }}
    </Loaded>
  )
}

async function readRepository() {
  const [{ takesUploads }, { github_repo: repository }] = await Promise.all([
    readConsoleSettings(),
    api.GET('/api/sandboxes', { query: { limit: 1, ...forAccount() } }),
  ])
  return { takesUploads, hasRepository: repository !== null }
}

function requireUploadable(files: readonly File[]): void {
  if (files.length === 0) throw new Error('Choose a file.')
  if (files.length > maxFiles) throw new Error(`Choose at most ${maxFiles} files.`)
  const oversized = files.find(({ size }) => size > maxFileBytes)
  if (oversized !== undefined) throw new Error(`${oversized.name} is larger than ${bytes(maxFileBytes)}.`)
}
