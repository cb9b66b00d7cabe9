import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'

const ourQueue = fileURLToPath(new URL('../db/postgres/driver/queue.ts', import.meta.url))

/** Mends two defects of the Postgres driver where it is bundled. They cost time and memory, and break nothing. */
export const driverRepairs: Plugin = {
  name: 'driver repairs',
  setup: (builder) => {
    builder.onLoad({ filter: /[\\/]node_modules[\\/]postgres[\\/]src[\\/]queue\.js$/ }, () => ({
      loader: 'js',
      contents: `export { createQueue as default } from ${JSON.stringify(ourQueue)}`,
    }))
    builder.onLoad({ filter: /[\\/]node_modules[\\/]postgres[\\/]src[\\/]query\.js$/ }, async ({ path }) => ({
      loader: 'js',
      contents: withYoungClosures(await readFile(path, 'utf8')),
    }))
  },
}

const settling = /(this\.(?:resolve|reject) = )(x => \(this\.active = false, (?:resolve|reject)\(x\)\))/g

/**
 * V8 makes a function that is written as the value of a member of `this` among its old objects at once. Each query then
 * holds its rows, and what waited for them, until the next full collection, and every small one copies them: a fifth of
 * what a request costs. As an argument it is made like any other. Throws when the driver is not written as expected.
 */
export function withYoungClosures(source: string): string {
  if (source.match(settling)?.length !== 3)
    throw new Error('the Postgres driver settles its queries in another way now')
  return `${source.replaceAll(settling, '$1young($2)')}\nfunction young(closure) { return closure }\n`
}
