import { useDeployment } from '../../access/deployment.ts'

/** Development model that needs no API key. It executes the commands in a prompt. */
const embeddedModel = 'local/assistant'

/** True if the default model is the embedded model; false while the settings load. */
export function useIsEmbeddedModel(): boolean {
  return useDeployment()?.models.default === embeddedModel
}

type Example = { name: string; text: string }

const embeddedModelExamples: Example[] = [
  { name: 'List files', text: 'List the working directory.\n$ pwd && ls -la && uname -a' },
  { name: 'Write a file', text: '@write notes/plan.md # Release plan\n---\n$ cat notes/plan.md' },
  { name: 'Ask a question', text: '@ask Which format do you want? WAV | MP3 | FLAC' },
  { name: 'Use a sub-agent', text: '@task $ date ;; --- ;; @say The sub-agent looked at the clock.' },
]

const otherModelExamples: Example[] = [
  { name: 'List files', text: 'Which files are in this workspace? Summarize what each folder is for.' },
  {
    name: 'Write a file',
    text: 'Write a release plan for a single that comes out in six weeks, and save it as notes/plan.md.',
  },
  { name: 'Ask a question', text: 'Prepare a checklist for delivering a master. First ask me which format I need.' },
  { name: 'Use a sub-agent', text: 'Let a sub-agent collect the dates in notes/, and then write a calendar of them.' },
]

/** Prompts that the default model of the deployment can handle. */
export function useExamples(): readonly Example[] {
  return useIsEmbeddedModel() ? embeddedModelExamples : otherModelExamples
}
