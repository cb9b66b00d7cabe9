export const cliVersion: string
export function cacheFolder(): string
export function cachedCli(): string
export function downloadUrl(): string
export function findGo(): string | undefined
export function buildCli(
  output: string,
  say: (line: string) => void,
  everyMs?: number,
): { done: Promise<void>; stop(): void }
