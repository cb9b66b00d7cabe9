import '@temporalio/worker'

// From here on: the packages' own maps, hundreds of files, would take a tenth of the start.
process.setSourceMapsEnabled(true)
await import('./worker.ts')
