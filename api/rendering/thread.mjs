import { register } from 'tsx/esm/api'

// Thread entry point when running from source. A build bundles it into one file.
register()
await import('./thread.ts')
