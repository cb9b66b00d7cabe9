import type { AllowanceOptions } from './allowance.ts'
import type { GithubOptions } from './github/github.ts'
import type { CodeHostPort } from './index.ts'
import { createLocalCodeHost, type LocalCodeHostOptions } from './local/local.ts'

export type CodeHostChoice = { local: LocalCodeHostOptions } | { github: GithubOptions }

/** Creates the code host of a deployment. Loads a vendor's library only if it is used. */
export async function createCodeHost(choice: CodeHostChoice, disk?: AllowanceOptions['disk']): Promise<CodeHostPort> {
  return 'github' in choice
    ? (await import('./github/github.ts')).createGithubCodeHost(choice.github)
    : createLocalCodeHost({ ...choice.local, disk })
}
