import { register } from 'tsx/esm/api'

// Runs the program from the sources. A build contains it as a single file.
register()
await import('./program.ts')
