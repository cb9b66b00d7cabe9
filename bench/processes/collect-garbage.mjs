// Preloaded into a process under --expose-gc: memory is compared without what merely waits to be collected.
process.on('SIGUSR2', () => globalThis.gc())
