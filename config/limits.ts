import { count } from './values.ts'

const limitShape = {
  RATE_LIMIT_PER_MINUTE: count.default(6000).meta({
    description:
      'Maximum number of requests per minute and account, divided by the number of live API processes. 0: no limit.',
  }),
  RATE_LIMIT_STARTS_PER_MINUTE: count.default(600).meta({
    description:
      'Maximum number of requests per minute and account that start work, across all API processes. 0: no limit.',
  }),
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: count.default(600).meta({
    description:
      'Maximum number of reads of shared chats per minute and IP address, divided by the number of live API processes. 0: no limit.',
  }),
  RATE_LIMIT_WORK_PER_MINUTE: count.default(300).meta({
    description:
      'Maximum number of emails and other operations per minute on behalf of one account, for all its callers, across all API processes. 0: no limit.',
  }),
  RATE_LIMIT_CHECKOUTS_PER_MINUTE: count.default(60).meta({
    description:
      'Maximum number of purchases started per minute and account, or per IP address without an account, across all API processes. 0: no limit.',
  }),
  RATE_LIMIT_SIGNUPS_PER_HOUR: count.default(600).meta({
    description:
      'Maximum number of signups and verifications per hour and IP address, across all API processes. 0: no limit.',
  }),
  RATE_LIMIT_SIGNUPS_PER_EMAIL: count.default(10).meta({
    description: 'Maximum number of signups per hour and email address, across all API processes. 0: no limit.',
  }),
  RATE_LIMIT_INVITATIONS_PER_DAY: count.default(20).meta({
    description:
      'Maximum number of invitation emails that one account can send per day, across all API processes. 0: no limit.',
  }),
  RATE_LIMIT_INVITATIONS_PER_EMAIL: count.default(5).meta({
    description: 'Maximum number of invitation emails to one address per day, from all accounts. 0: no limit.',
  }),
  RATE_LIMIT_RECIPIENTS_PER_DAY: count.default(1000).meta({
    description:
      'Maximum number of recipients, other than its own address, to which one account can send emails per day with POST /api/emails, across all API processes. An address counts once per email. 0: no limit.',
  }),
  RATE_LIMIT_CODE_TRIES_PER_HOUR: count.default(20).meta({
    description:
      'Maximum number of wrong codes per hour and email address, for all codes together. 0: only the limit of five per code.',
  }),
  RATE_LIMIT_STREAMS: count.default(200).meta({
    description:
      'Maximum number of open SSE responses per account, divided by the number of live API processes. 0: no limit.',
  }),
  LIMIT_REQUESTS: count.default(1000).meta({
    description: 'Maximum number of requests in progress in one API process; additional requests get 503. 0: no limit.',
  }),
  LIMIT_BODY_MEGABYTES: count.default(128).meta({
    description:
      'Maximum total size of the request bodies that one API process holds in memory, in megabytes; additional requests get 503. 0: no limit.',
  }),
  LIMIT_STREAMS: count.default(5000).meta({
    description: 'Maximum number of open SSE responses of one API process; additional requests get 503. 0: no limit.',
  }),
  LIMIT_GIT_REQUESTS: count.default(32).meta({
    description:
      'Maximum number of git requests in progress in one API process; additional requests get 503. 0: no limit.',
  }),
  LIMIT_CONNECTIONS: count.default(10_000).meta({
    description: 'Maximum number of connections of one API process; additional connections are closed. 0: no limit.',
  }),
  LIMIT_SHARE_PERCENT: count.min(1).max(100).default(25).meta({
    description:
      'Percentage of LIMIT_REQUESTS, LIMIT_BODY_MEGABYTES, LIMIT_GIT_REQUESTS, LIMIT_STREAMS and LIMIT_CONNECTIONS that one account can use, divided by the number of live API processes. One IP address can use twice that share. Requests above a share get 429. 100: no shares.',
  }),
  LIMIT_EVENT_LOOP_DELAY_MS: count.default(500).meta({
    description:
      'Mean event loop lag over five seconds, in milliseconds, above which an API process rejects requests with 503. 0: no limit.',
  }),
  REQUEST_TIMEOUT_SECONDS: count.default(30).meta({
    description:
      'Maximum time in seconds before a request gets 503. Intentional waiting, such as long polling, does not count.',
  }),
  BODY_TIMEOUT_SECONDS: count.min(1).default(30).meta({
    description:
      'Maximum time in seconds in which a buffered request body must arrive; otherwise the response is 408. A streamed body (git, uploads) may be this many seconds behind BODY_MIN_BYTES_PER_SECOND.',
  }),
  BODY_MIN_BYTES_PER_SECOND: count
    .min(1)
    .default(1024)
    .meta({ description: 'Minimum transfer rate of a streamed body.' }),
  STREAM_FLUSH_MS: count.default(5).meta({
    description:
      'Minimum interval between group commits of the stream log, in milliseconds. Under load, the interval grows with the duration of the commits, up to 60 ms.',
  }),
  STREAM_HEARTBEAT_MS: count.default(10_000).meta({
    description:
      'Time without data, in milliseconds, after which a stream sends a comment line. Access to open streams is also rechecked at this interval.',
  }),
  STREAM_STALL_SECONDS: count.default(30).meta({
    description:
      'Time in seconds after which the connection of a client that accepts no data is closed. The client can resume the stream.',
  }),
  STREAM_MAX_AGE_SECONDS: count
    .default(900)
    .meta({ description: 'Age, in seconds, at which a stream response ends; the client resumes the stream.' }),
  STREAM_RETENTION_HOURS: count
    .default(48)
    .meta({ description: 'Time in hours for which the stream of a finished run can be read.' }),
  AUDIT_RETENTION_DAYS: count
    .min(90)
    .default(400)
    .meta({ description: 'Retention of the audit log in days, rounded up to whole months; at least 90.' }),
  PAYMENT_EVENT_RETENTION_DAYS: count
    .min(90)
    .default(400)
    .meta({ description: "Retention of the payment provider's event ids in days; at least 90." }),
  MAIL_LOG_RETENTION_DAYS: count
    .min(1)
    .default(400)
    .meta({ description: 'Retention of the log of sent emails (recipients and outcome), in days.' }),
  JOB_RETENTION_DAYS: count
    .min(1)
    .default(180)
    .meta({ description: 'Time in days for which finished background runs, including runs of tasks, can be read.' }),
  TIMELINE_RETENTION_DAYS: count.min(1).default(30).meta({
    description: 'Time in days for which the steps, attempts and tool calls of a finished turn can be read.',
  }),
  EMBEDDED_RETENTION_DAYS: count.min(1).default(30).meta({
    description:
      'Retention, in days, of finished data of the embedded providers: delivered payment events, expired pages, scraper runs.',
  }),
  POST_RETENTION_DAYS: count.min(1).optional().meta({
    description: 'Number of days after publication at which scraped posts are deleted. Unset: they are kept.',
  }),
}

export const limitGroup = { settings: limitShape, validate: () => [] }
