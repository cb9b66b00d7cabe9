import '@temporalio/client'

// Enabled after the import above, because reading the source maps of its packages (hundreds of files) would take a tenth of
// the start time.
process.setSourceMapsEnabled(true)
await import('./server.ts')
