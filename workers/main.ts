import '@temporalio/worker'

// Enabled after the import of the SDK, because the source maps of its hundreds of files would add a tenth to the start time.
process.setSourceMapsEnabled(true)
await import('./worker.ts')
