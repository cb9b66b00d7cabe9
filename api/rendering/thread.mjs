import { register } from 'tsx/esm/api'

// The thread as it runs from the sources; a build has it as one file.
register()
await import('./thread.ts')
