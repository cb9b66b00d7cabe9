export const cliVersion: string
export const serverVersion: string
export function cacheFolder(): string
export function cachedCli(): string
export function cachedServer(): string
export function downloadUrl(): string
export function findGo(): string | undefined
export function buildCli(
  output: string,
  print: (line: string) => void,
  intervalMs?: number,
): { done: Promise<void>; stop(): void }
export function buildServer(folder: string, print: (line: string) => void): { done: Promise<void>; stop(): void }
