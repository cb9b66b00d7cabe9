/** Explains why a process with these settings (`BLOB_STORE=local`) may not run alongside another machine. */
export function explainLocalStores(settings: string[], address: string): string {
  const names = new Intl.ListFormat('en').format(settings)
  const [verb, object] = settings.length === 1 ? ['serves', 'it'] : ['serve', 'them']
  return `${names} ${verb} one machine, and the machine ${address} also runs this deployment: change ${object} for all machines, or stop the other machine (content/docs/run/fleet.md).`
}
