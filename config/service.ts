import { z } from 'zod'
import { count, flag, hostList, splitList, port } from './values.ts'
import { parseUrl } from '../domain/fields/url.ts'

const serviceNames = {
  PRODUCTION_MODE: flag.default(false).meta({ description: 'Makes secrets and real services mandatory.' }),
  PORT: port.default(8787).meta({ description: 'Port of the API.' }),
  HOST: z.string().optional().meta({
    description: 'Address on which the API listens. Default: 127.0.0.1 and ::1, which only this machine can reach.',
  }),
  BASE_URL: z.url().optional().meta({ description: 'Public address of the API. Default: http://localhost:PORT.' }),
  ALLOWED_HOSTS: hostList.optional().meta({
    description:
      'Comma-separated host names under which the pages of the embedded stack (inbox, checkout, consent, issuer) respond, in addition to those of BASE_URL, HOST and this machine.',
  }),
  API_URL: z.url().optional().meta({
    description: 'Address of the API for workers that cannot reach it at BASE_URL. Default: BASE_URL.',
  }),
  DATA_DIR: z
    .string()
    .default('data')
    .meta({ description: 'Folder of the embedded stack. Deleting it resets everything.' }),
  DATABASE_URL: z.string().optional().meta({
    description:
      'Postgres to use instead of the embedded one. `?sslmode=require` encrypts; `?sslmode=verify-full` also checks the certificate, with NODE_EXTRA_CA_CERTS for your own certificate authority.',
  }),
  DATABASE_MIGRATION_URL: z.string().optional().meta({
    description:
      'URL of the same database for the role that owns the tables, used only by `npm run migrate` and `npm start`. The role of DATABASE_URL then gets only the privileges that the application needs, and is created if it does not exist. Default: DATABASE_URL.',
    secret: true,
  }),
  DATABASE_SESSION_URL: z.string().optional().meta({
    description:
      'URL of the same database and role for connections that need a session of Postgres: locks, LISTEN, NOTIFY and the writer of the stream log. Required if DATABASE_URL leads through a connection pooler in transaction mode. Default: DATABASE_URL.',
    secret: true,
  }),
  DATABASE_POOL: count.default(10).meta({
    description: 'Connections per process for queries. Each process also opens half as many for transactions.',
  }),
  POSTGRES_PORT: port.default(54329).meta({ description: 'Port of the embedded Postgres.' }),
  TEMPORAL_ADDRESS: z
    .string()
    .optional()
    .meta({ description: 'Temporal server (host:port) to use instead of the embedded one.' }),
  TEMPORAL_NAMESPACE: z.string().default('default').meta({ description: 'Temporal namespace.' }),
  TEMPORAL_TLS: flag.default(false).meta({
    description: 'Connect to Temporal with TLS. Implied by each TEMPORAL_TLS_* and TEMPORAL_API_KEY setting.',
  }),
  TEMPORAL_TLS_CA: z.string().optional().meta({
    description:
      'Path of the PEM file of the certificate authority of the Temporal server, which is reread when it changes. Default: the authorities of Node.',
  }),
  TEMPORAL_TLS_SERVER_NAME: z.string().optional().meta({
    description: 'Name that the certificate of the Temporal server must have. Default: the host of TEMPORAL_ADDRESS.',
  }),
  TEMPORAL_TLS_CERT: z.string().optional().meta({
    description: 'Path of a client certificate (PEM) for mutual TLS, which is reread when it changes.',
  }),
  TEMPORAL_TLS_KEY: z
    .string()
    .optional()
    .meta({ description: 'Path of the key (PEM) of TEMPORAL_TLS_CERT, which is reread when it changes.' }),
  TEMPORAL_API_KEY: z.string().optional().meta({ description: 'API key of Temporal Cloud.', secret: true }),
  TEMPORAL_API_KEY_FILE: z.string().optional().meta({
    description:
      'Path of a file with the API key of Temporal Cloud, which is reread when it changes, so that the key can be rotated without a restart.',
  }),
  TEMPORAL_PORT: port.default(7233).meta({ description: 'Port of the embedded Temporal server.' }),
  TEMPORAL_UI_PORT: port.default(8233).meta({ description: 'Port of the embedded Temporal UI.' }),
  TEMPORAL_CLI: z.string().optional().meta({ description: 'Path of a Temporal CLI for the embedded server.' }),
  TASK_QUEUE: z.string().default('agent').meta({ description: 'Task queue of turns, sandboxes and light tools.' }),
  SERVER_SECRET: z.string().min(32).optional().meta({
    description: 'Key of the HMAC with which API keys are stored. Required in production mode.',
    secret: true,
  }),
  BUILD_ID: z
    .string()
    .default('development')
    .meta({ description: 'Name of this build: the `version` of the background runs that it accepts.' }),
  WEB_APP_URL: z.url().optional().meta({
    description: 'Address of the web app, used in the links of mails and 402 responses. Default: the console.',
  }),
  ALLOW_EMBEDDED: z.string().optional().meta({
    description:
      'Comma-separated ports (identity, mail, payment, streaming, scraper, render, team-chat, connectors) whose embedded adapter production mode may use.',
  }),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .meta({ description: 'Lowest level of the log lines that are written.' }),
  MAX_CONCURRENT_ACTIVITIES: count.min(1).optional().meta({
    description:
      'Maximum number of activities, such as batches of chat turns, that a worker executes at the same time. It executes fewer while its event loop is late or its memory is scarce. The turns of one account can use three quarters of them. Further activities wait in Temporal. Default: 125 per GiB of memory, at least 100 and at most 1000.',
  }),
  HEAD_STARTS: count.default(64).meta({
    description:
      'Maximum number of chat turns that a worker has begun and that Temporal has not yet scheduled. 0: none.',
  }),
  MAX_CONCURRENT_RUNS: count.min(1).default(500).meta({
    description:
      'Maximum number of headless runs of a worker at the same time. It runs fewer while it is busy. One account can use three quarters of these slots; further runs wait, and accounts take turns by the weight of their plan.',
  }),
  MIN_CONCURRENT_RUNS: count.min(1).optional().meta({
    description:
      'Minimum number of headless runs for which a worker has slots, however busy it is, and of runs that start at the same time, however busy the machine is. Default: the number of processors plus one for the slots, and the number of processors for the starts.',
  }),
  WORKFLOW_CACHE: count.default(300).meta({
    description: 'Number of open workflows that a worker keeps in memory. 0: none; each task replays its history.',
  }),
  WORKER_GRACE_SECONDS: count.default(10).meta({
    description:
      'Grace period that a stopping worker gives its running calls and tools before other workers take them over.',
  }),
  WORKER_GROUP: z.string().optional().meta({
    description:
      'Name of a standby group. One worker process of the group takes work; the others stand by, started and connected, until it dies. Unset: each worker takes work.',
  }),
  SPARE_WORKER: flag.default(false).meta({
    description:
      'Whether `npm start` keeps a second worker process waiting, which takes over at once when the first one dies.',
  }),
  WORKFLOW_BUNDLE: z
    .string()
    .optional()
    .meta({ description: 'Path of the workflow bundle that `npm run build` creates. Unset: workers bundle at start.' }),
  BACKLINE_PARENT_PIPE: flag
    .default(false)
    .meta({ description: 'Set by the supervisor: the process exits when its standard input closes.' }),
  HEALTH_PORT: port.optional().meta({
    description:
      'Port on which a worker serves /healthz and /readyz. `npm start` gives a spare worker the next port. Unset: none.',
  }),
  METRICS_PORT: port.optional().meta({
    description:
      'Port on which an API or a worker serves /metrics, at the address of HOST. `npm start` gives it to the API and the next ports to the workers. Unset: none, except that `npm start` chooses a free port for the API. It prints the URL, and local.json has all of them.',
  }),
  DRAIN_DELAY_SECONDS: count.default(0).meta({
    description:
      'Time for which an API still serves requests after a stop signal, while its /readyz responds with 503, so that a load balancer stops sending requests before the API closes.',
  }),
}

/** Loopback addresses. A machine without IPv6 lacks the second. */
export const loopbackHosts = ['127.0.0.1', '::1'] as const

/** Addresses that the API listens on; only the first must exist. */
export function listenHosts({ HOST: host }: { HOST?: string | undefined }): readonly [string, ...string[]] {
  return host === undefined ? loopbackHosts : [host]
}

/** URLs of the database by what a connection needs. */
export function databaseUrls(
  { DATABASE_SESSION_URL: sessionUrl }: { DATABASE_SESSION_URL?: string | undefined },
  url: string,
): { url: string; sessionUrl: string } {
  return { url, sessionUrl: sessionUrl ?? url }
}

/** Ports whose embedded adapter production mode may use. */
export function mayEmbed(config: { ALLOW_EMBEDDED?: string | undefined }, port: string): boolean {
  return splitList(config.ALLOW_EMBEDDED ?? '').includes(port)
}

type Values = z.output<z.ZodObject<typeof serviceNames>>

export const serviceGroup = { names: serviceNames, faults: listFaults }

function listFaults(config: Values): string[] {
  const { DATABASE_URL, DATABASE_MIGRATION_URL, METRICS_PORT } = config
  return [
    ...((config.MIN_CONCURRENT_RUNS ?? 1) > config.MAX_CONCURRENT_RUNS
      ? ['MIN_CONCURRENT_RUNS must not exceed MAX_CONCURRENT_RUNS.']
      : []),
    ...(METRICS_PORT === config.PORT ? ['METRICS_PORT must differ from PORT: metrics are not public.'] : []),
    ...(METRICS_PORT !== undefined && METRICS_PORT === config.HEALTH_PORT
      ? ['METRICS_PORT and HEALTH_PORT must differ.']
      : []),
    ...((config.TEMPORAL_TLS_CERT === undefined) === (config.TEMPORAL_TLS_KEY === undefined)
      ? []
      : ['TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY need each other.']),
    ...(config.TEMPORAL_API_KEY !== undefined && config.TEMPORAL_API_KEY_FILE !== undefined
      ? ['Set only one of TEMPORAL_API_KEY and TEMPORAL_API_KEY_FILE.']
      : []),
    ...(DATABASE_MIGRATION_URL !== undefined && DATABASE_URL === undefined
      ? ['DATABASE_MIGRATION_URL needs DATABASE_URL: the embedded Postgres has its own.']
      : []),
    ...(config.DATABASE_SESSION_URL !== undefined && DATABASE_URL === undefined
      ? ['DATABASE_SESSION_URL needs DATABASE_URL: the embedded Postgres has no connection pooler.']
      : []),
    ...(DATABASE_MIGRATION_URL !== undefined && parseRole(DATABASE_URL) === ''
      ? ['DATABASE_URL must name a role (postgres://role:password@host/database) beside DATABASE_MIGRATION_URL.']
      : []),
  ]
}

function parseRole(url: string | undefined): string | undefined {
  return parseUrl(url ?? '')?.username
}
