import '@temporalio/client'

// Enabled only from here: the source maps of packages, hundreds of files, would take a tenth of the start time.
process.setSourceMapsEnabled(true)
await import('./server.ts')
