import { watch } from 'node:fs'
import { build, sources } from './commands/build.ts'
import { readMessage, print } from './say.ts'

/** An editor saves several files, and one file in several steps. */
const quietMs = 200

/**
 * Builds anew when a source file changes, and then calls `onBuilt`. A build that fails is reported, and what runs continues
 * as it is. Watches until the process ends.
 */
export function watchSources(onBuilt: () => Promise<unknown>): void {
  let timer: NodeJS.Timeout | undefined
  let building = Promise.resolve()
  const rebuild = async (): Promise<void> => {
    try {
      await build()
      await onBuilt()
    } catch (error) {
      print(`Not built: ${readMessage(error)}`)
    }
  }
  const onChange = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      building = building.then(rebuild)
    }, quietMs)
  }
  for (const path of sources) watch(path, { recursive: true }, onChange).unref()
  print('Watching the sources: API and worker restart when one changes.')
}
