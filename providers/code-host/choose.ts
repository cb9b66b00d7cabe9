import type { AllowanceOptions } from './allowance.ts'
import type { GithubOptions } from './github/github.ts'
import type { CodeHostPort } from './index.ts'
import { createLocalCodeHost, type LocalCodeHostOptions } from './local/local.ts'

export type CodeHostChoice = { local: LocalCodeHostOptions } | { github: GithubOptions }

/** The one code host of a deployment. A vendor's library is loaded where it is used. */
export async function createCodeHost(choice: CodeHostChoice, disk?: AllowanceOptions['disk']): Promise<CodeHostPort> {
  return 'github' in choice
    ? (await import('./github/github.ts')).createGithubCodeHost(choice.github)
    : createLocalCodeHost({ ...choice.local, disk })
}
