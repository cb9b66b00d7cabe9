import { watch } from 'node:fs'
import { build, sources } from './commands/build.ts'
import { readMessage, print } from './say.ts'

/** Debounce interval: editors save several files, and one file in several steps. */
const quietPeriodMs = 200

/**
 * Rebuilds when a source file changes, then calls `onBuilt`. If a build fails, reports it and leaves the running processes
 * unchanged. Watches until this process exits.
 */
export function watchSources(onBuilt: () => Promise<unknown>): void {
  let timer: NodeJS.Timeout | undefined
  let building = Promise.resolve()
  const rebuild = async (): Promise<void> => {
    try {
      await build()
      await onBuilt()
    } catch (error) {
      print(`The build failed: ${readMessage(error)}`)
    }
  }
  const onChange = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      building = building.then(rebuild)
    }, quietPeriodMs)
  }
  for (const path of sources) watch(path, { recursive: true }, onChange).unref()
  print('Watching the sources: API and workers restart when a file changes.')
}
