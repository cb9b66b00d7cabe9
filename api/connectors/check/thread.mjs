import { register } from 'tsx/esm/api'

// Thread entry point when running from source. A build bundles thread.ts into one file instead.
register()
await import('./thread.ts')
