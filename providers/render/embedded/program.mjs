import { register } from 'tsx/esm/api'

// Runs the program from its sources. A build bundles it as a single file.
register()
await import('./program.ts')
