import type { Sweep } from './runtime/loop.ts'

export const repositorySweeps: Sweep[] = [
  { name: 'compact repositories', everySeconds: 60, alone: true, run: async ({ codeHost }) => codeHost.maintain?.() },
  {
    name: 'bound the copies of repositories',
    everySeconds: 60,
    everywhere: true,
    run: async ({ codeHost }) => codeHost.tidy?.(),
  },
]
