import type { BuildOptions } from 'esbuild'

/**
 * Packages that stay in `node_modules`, because they have native code, threads or data files, depend on such a package, or
 * are imported lazily. `@grpc/grpc-js` stays there because Temporal's client imports it, and a second copy would take 4 MB
 * in each process. All other packages are bundled, because opening their thousand files took a quarter of the start
 * time.
 */
export const externalPackages = [
  '@aws-sdk/*',
  '@fal-ai/client',
  '@grpc/grpc-js',
  '@napi-rs/canvas',
  '@octokit/rest',
  '@slack/web-api',
  '@temporalio/*',
  '@vercel/*',
  'apify-client',
  'e2b',
  'openid-client',
  'pino',
  'postal-mime',
  'resend',
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
  // Node keeps the source of each module in memory, with two bytes per character if any character is not Latin-1.
  minifyWhitespace: true,
  legalComments: 'external',
  banner: { js: requireShim },
  logLevel: 'silent',
} satisfies BuildOptions
