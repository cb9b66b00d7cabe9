import type { BuildOptions } from 'esbuild'
import { asciiSources, temporalSdk } from './bundle-plugins.ts'

/**
 * Packages that stay in `node_modules`, because they have native code, threads or data files, depend on such a package, or
 * are imported lazily. All other packages are bundled, because opening their files took half of the start time.
 */
export const externalPackages = [
  '@aws-sdk/*',
  '@fal-ai/client',
  '@napi-rs/canvas',
  '@octokit/rest',
  '@slack/web-api',
  '@vercel/*',
  'apify-client',
  'e2b',
  'openid-client',
  'pino',
  'postal-mime',
  'resend',
  'source-map',
  'stripe',
  'workerpool',
]

/** Defines `require`, with which CommonJS packages import Node's modules. */
const requireShim =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);"

/** esbuild options for Backline's processes. Dynamic imports stay dynamic. */
export const nodeBundle = {
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: externalPackages,
  plugins: [temporalSdk, asciiSources],
  // Node keeps the source of each module in memory, with two bytes per character if any character is not Latin-1. See also `asciiSources`.
  minifyWhitespace: true,
  legalComments: 'external',
  banner: { js: requireShim },
  logLevel: 'silent',
} satisfies BuildOptions
