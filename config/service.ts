import { z } from 'zod'
import { listProblems } from './requirements.ts'
import { anyText, anyUrl, count, flag, hostList, port, positive, secret } from './values.ts'
import { parseUrl } from '../domain/fields/url.ts'

const serviceShape = {
  PRODUCTION_MODE: flag(false).describe('Requires secrets and external services.'),
  PORT: port(8787).describe('Port of the API.'),
  HOST: anyText().describe(
    'IP address that the API listens on. Default: 127.0.0.1 and ::1, which only this machine can reach.',
  ),
  BASE_URL: anyUrl().describe('Public URL of the API. Default: http://localhost:PORT.'),
  ALLOWED_HOSTS: hostList().describe(
    'Comma-separated host names at which the pages of the embedded providers (inbox, checkout, consent, issuer) are served, in addition to those of BASE_URL, HOST and this machine.',
  ),
  API_URL: anyUrl().describe('URL of the API for workers that cannot reach it at BASE_URL. Default: BASE_URL.'),
  DATA_DIR: anyText('data').describe(
    'Folder of local data: the embedded Postgres and Temporal, repositories, sandboxes and files. Deleting it deletes everything.',
  ),
  DATABASE_URL: anyText().describe(
    'URL of the Postgres database to use instead of the embedded one. `?sslmode=require` encrypts the connection; `?sslmode=verify-full` also verifies the certificate. `?host=/folder` connects through the Unix socket in that folder. For a private certificate authority, set NODE_EXTRA_CA_CERTS.',
  ),
  DATABASE_MIGRATION_URL: secret(
    'URL of the same database for the role that owns the tables. Only `npm run migrate` and `npm start` use it. They create the role of DATABASE_URL if it does not exist, with only the privileges that the application needs. Default: DATABASE_URL.',
  ),
  DATABASE_SESSION_URL: secret(
    'URL of the same database and role for connections that need a Postgres session: locks, LISTEN, NOTIFY and the writer of the stream log. Required if DATABASE_URL points to a connection pooler in transaction mode. Default: DATABASE_URL.',
  ),
  DATABASE_POOL: count(10).describe(
    'Maximum number of database connections per process for queries. Each process also opens half as many for transactions.',
  ),
  POSTGRES_PORT: port(54329).describe('Port of the embedded Postgres.'),
  TEMPORAL_ADDRESS: anyText().describe(
    'Address (host:port) of the Temporal server to use instead of the embedded one.',
  ),
  TEMPORAL_NAMESPACE: anyText('default').describe('Temporal namespace.'),
  TEMPORAL_TLS: flag(false).describe(
    'Connects to Temporal with TLS. Implied by TEMPORAL_API_KEY and every other TEMPORAL_TLS_* setting.',
  ),
  TEMPORAL_TLS_CA: anyText().describe(
    "Path of the PEM file of the Temporal server's certificate authority. It is reread when it changes. Default: the certificate authorities of Node.",
  ),
  TEMPORAL_TLS_SERVER_NAME: anyText().describe(
    'Name that the certificate of the Temporal server must contain. Default: the host of TEMPORAL_ADDRESS.',
  ),
  TEMPORAL_TLS_CERT: anyText().describe(
    'Path of a client certificate (PEM) for mutual TLS. It is reread when it changes.',
  ),
  TEMPORAL_TLS_KEY: anyText().describe('Path of the key (PEM) of TEMPORAL_TLS_CERT. It is reread when it changes.'),
  TEMPORAL_API_KEY: secret('API key of Temporal Cloud.'),
  TEMPORAL_API_KEY_FILE: anyText().describe(
    'Path of a file with the API key of Temporal Cloud. It is reread when it changes, so that the key can be rotated without a restart.',
  ),
  TEMPORAL_PORT: port(7233).describe('Port of the embedded Temporal server.'),
  TEMPORAL_UI_PORT: port(8233).describe('Port of the embedded Temporal UI.'),
  TEMPORAL_CLI: anyText().describe('Path of a Temporal CLI for the embedded server.'),
  TASK_QUEUE: anyText('agent').describe('Task queue of turns, sandboxes and light tools.'),
  SERVER_SECRET: secret(
    'Secret from which tokens and encryption keys are derived, and key of the HMAC of stored API keys. Required in production mode.',
    32,
  ),
  BUILD_ID: anyText('development').describe(
    'Name of this build, shown as the `version` of the background runs that it accepts.',
  ),
  WEB_APP_URL: anyUrl().describe('URL of the web app, for links in emails and 402 responses. Default: the console.'),
  ALLOW_EMBEDDED: anyText().describe(
    'Comma-separated embedded providers that production mode can use: identity, mail, payment, streaming, scraper, render, team-chat, connectors.',
  ),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Minimum level of log lines.'),
  MAX_CONCURRENT_ACTIVITIES: positive().describe(
    'Maximum number of activities, such as batches of chat turns, that a worker executes concurrently. It executes fewer while its event loop lags or its memory is low. Turns of one account can use at most three quarters of these slots. Other activities wait in Temporal. Default: 125 per GiB of memory, at least 100 and at most 1000.',
  ),
  HEAD_STARTS: count(64).describe(
    'Maximum number of chat turns that a worker has started before Temporal schedules them. 0: none.',
  ),
  MAX_CONCURRENT_RUNS: positive(500).describe(
    'Maximum number of headless runs that a worker executes concurrently. It executes fewer while it is busy. One account can use three quarters of these slots; other runs wait. Accounts are served round robin, weighted by plan.',
  ),
  MIN_CONCURRENT_RUNS: positive().describe(
    'Minimum number of slots of a worker for headless runs, and of concurrent starts of these runs, regardless of the load. Default: the number of processors plus one for the slots, and the number of processors for the starts.',
  ),
  WORKFLOW_CACHE: count(300).describe(
    'Maximum number of open workflows that a worker caches. 0: none; each workflow task replays the history.',
  ),
  WORKER_GRACE_SECONDS: count(10).describe(
    'Time, in seconds, that a stopping worker gives its running model calls and tools before other workers take over.',
  ),
  WORKER_GROUP: anyText().describe(
    'Name of a standby group. One worker process of the group executes work; the others are started and connected, and take over when it ends. Unset: every worker executes work.',
  ),
  SPARE_WORKER: flag(false).describe(
    'Makes `npm start` run a second worker process on standby, which takes over immediately when the first one ends.',
  ),
  WORKFLOW_BUNDLE: anyText().describe(
    'Path of the workflow bundle that `npm run build` creates. Unset: `workflows.js` in the folder of the worker.',
  ),
  BACKLINE_PARENT_PIPE: flag(false).describe(
    'Set by the supervisor: the process exits when its standard input closes.',
  ),
  HEALTH_PORT: port().describe(
    'Port on which a worker serves /healthz and /readyz. With `npm start`, a spare worker uses the next port. Unset: none.',
  ),
  METRICS_PORT: port().describe(
    'Port on which an API or a worker serves /metrics, at the address of HOST. With `npm start`, the API uses this port and the workers the next ones. Unset: none, except that `npm start` chooses a free port for the API. It prints this URL; local.json contains all metrics URLs.',
  ),
  DRAIN_DELAY_SECONDS: count(0).describe(
    'Time, in seconds, for which an API still serves requests after a stop signal. Its /readyz already responds with 503, so that a load balancer stops sending requests before the API closes.',
  ),
}

/** Loopback addresses. A machine without IPv6 does not have the second address. */
export const loopbackHosts = ['127.0.0.1', '::1'] as const

/** Returns the addresses that the API listens on. Only the first must exist on this machine. */
export function listenHosts({ HOST: host }: { HOST?: string | undefined }): readonly [string, ...string[]] {
  return host === undefined ? loopbackHosts : [host]
}

/** Returns the database URLs for pooled connections and for connections that need a session. */
export function databaseUrls(
  { DATABASE_SESSION_URL: sessionUrl }: { DATABASE_SESSION_URL?: string | undefined },
  url: string,
): { url: string; sessionUrl: string } {
  return { url, sessionUrl: sessionUrl ?? url }
}

type Values = z.output<z.ZodObject<typeof serviceShape>>

export const serviceGroup = { settings: serviceShape, validate: validateService }

function validateService(config: Values): string[] {
  const { DATABASE_URL, DATABASE_MIGRATION_URL, METRICS_PORT, MIN_CONCURRENT_RUNS = 1 } = config
  const isEmbedded = DATABASE_URL === undefined
  return listProblems({
    'MIN_CONCURRENT_RUNS must not exceed MAX_CONCURRENT_RUNS.': MIN_CONCURRENT_RUNS > config.MAX_CONCURRENT_RUNS,
    'METRICS_PORT must differ from PORT, because metrics are not public.': METRICS_PORT === config.PORT,
    'METRICS_PORT and HEALTH_PORT must differ.': METRICS_PORT !== undefined && METRICS_PORT === config.HEALTH_PORT,
    'TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY must be set together.':
      (config.TEMPORAL_TLS_CERT === undefined) !== (config.TEMPORAL_TLS_KEY === undefined),
    'Set only one of TEMPORAL_API_KEY and TEMPORAL_API_KEY_FILE.':
      config.TEMPORAL_API_KEY !== undefined && config.TEMPORAL_API_KEY_FILE !== undefined,
    'DATABASE_MIGRATION_URL requires DATABASE_URL: the embedded Postgres has its own roles.':
      DATABASE_MIGRATION_URL !== undefined && isEmbedded,
    'DATABASE_SESSION_URL requires DATABASE_URL: the embedded Postgres has no connection pooler.':
      config.DATABASE_SESSION_URL !== undefined && isEmbedded,
    'DATABASE_URL must contain a role (postgres://role:password@host/database) if DATABASE_MIGRATION_URL is set.':
      DATABASE_MIGRATION_URL !== undefined && parseUrl(DATABASE_URL ?? '')?.username === '',
  })
}
