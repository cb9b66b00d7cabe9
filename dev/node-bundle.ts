import type { BuildOptions } from 'esbuild'

/**
 * Packages that stay in `node_modules`: they have native parts, threads or files of their own, belong to one that has, or
 * are imported late if at all. All others are in the bundle: to open their thousand files took a quarter of a start.
 */
export const apart = [
  '@aws-sdk/*',
  '@fal-ai/client',
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

/** Packages in CommonJS ask for the modules of Node by `require`. */
const requireShim =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);"

/** How a process of Backline is bundled. What is imported late is loaded late. */
export const nodeBundle = {
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: apart,
  // Node keeps the source of each module, two bytes a character if a single one is not Latin: comments are a third of it.
  minifyWhitespace: true,
  legalComments: 'external',
  banner: { js: requireShim },
  logLevel: 'silent',
} satisfies BuildOptions
