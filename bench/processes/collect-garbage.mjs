// Preloaded into a process with --expose-gc, so that memory is compared after a garbage collection.
process.on('SIGUSR2', () => globalThis.gc())
