import { z } from 'zod'

/** Name of the job that commits staged files. */
export const commitFilesJob = 'commit-files'

/** What a run that commits staged files is asked for. */
export type CommitFilesPayload = {
  accountId: string
  files: { url: string; name: string }[]
  /** Folder; empty for the root. */
  path: string
  message: string
}

/** What became of the files, in their order. `errors` have the form `<name>: <reason>`. */
export const committedSchema = z.object({
  uploaded: z.array(z.object({ path: z.string(), sha: z.string() })),
  errors: z.array(z.string()).optional(),
})
export type CommittedFiles = z.output<typeof committedSchema>

/** What became of one file: kept under its place, so that it is never done twice. */
export type FileOutcome = { path: string; sha: string } | { error: string }

/** The outcomes as the client is told of them. */
export function committedFiles(outcomes: FileOutcome[]): CommittedFiles {
  const errors = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : []))
  return {
    uploaded: outcomes.flatMap((outcome) => ('error' in outcome ? [] : [outcome])),
    ...(errors.length > 0 && { errors }),
  }
}
