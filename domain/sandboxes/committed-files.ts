import { z } from 'zod'

/** Name of the job that commits staged files. */
export const commitFilesJob = 'commit-files'

/** Input of a run that commits staged files. */
export type CommitFilesPayload = {
  accountId: string
  files: { url: string; name: string }[]
  /** Folder; empty for the root. */
  path: string
  message: string
}

/** Outcomes of the files, in request order. `errors` have the form `<name>: <reason>`. */
export const committedSchema = z.object({
  uploaded: z.array(z.object({ path: z.string(), sha: z.string() })),
  errors: z.array(z.string()).optional(),
})
export type CommittedFiles = z.output<typeof committedSchema>

/** Outcome of one file, stored by its index so that the file is never committed twice. */
export type FileOutcome = { path: string; sha: string } | { error: string }

/** Converts the outcomes to the response. */
export function committedFiles(outcomes: FileOutcome[]): CommittedFiles {
  const errors = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : []))
  return {
    uploaded: outcomes.flatMap((outcome) => ('error' in outcome ? [] : [outcome])),
    ...(errors.length > 0 && { errors }),
  }
}
