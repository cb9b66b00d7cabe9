import { createGithubCodeHost } from './github.ts'
import type { GithubOptions } from './github.ts'
import type { CodeHostPort } from './index.ts'
import { createLocalCodeHost } from './local.ts'
import type { LocalCodeHostOptions } from './local.ts'

export type CodeHostChoice = { local: LocalCodeHostOptions } | { github: GithubOptions }

/** The one code host of a deployment. */
export const createCodeHost = (choice: CodeHostChoice): CodeHostPort =>
  'github' in choice ? createGithubCodeHost(choice.github) : createLocalCodeHost(choice.local)
