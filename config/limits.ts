import { between, count, positive } from './values.ts'

const limitShape = {
  RATE_LIMIT_PER_MINUTE: count(6000).describe(
    'Maximum number of requests per minute and account, divided by the number of live API processes. 0: no limit.',
  ),
  RATE_LIMIT_STARTS_PER_MINUTE: count(600).describe(
    'Maximum number of requests per minute and account that start work, across all API processes. 0: no limit.',
  ),
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: count(600).describe(
    'Maximum number of reads of shared chats per minute and IP address, divided by the number of live API processes. 0: no limit.',
  ),
  RATE_LIMIT_WORK_PER_MINUTE: count(300).describe(
    'Maximum number of emails and other operations per minute on behalf of one account, for all its callers, across all API processes. 0: no limit.',
  ),
  RATE_LIMIT_CHECKOUTS_PER_MINUTE: count(60).describe(
    'Maximum number of purchases started per minute and account, or per IP address without an account, across all API processes. 0: no limit.',
  ),
  RATE_LIMIT_SIGNUPS_PER_HOUR: count(600).describe(
    'Maximum number of signups and verifications per hour and IP address, across all API processes. 0: no limit.',
  ),
  RATE_LIMIT_SIGNUPS_PER_EMAIL: count(10).describe(
    'Maximum number of signups per hour and email address, across all API processes. 0: no limit.',
  ),
  RATE_LIMIT_INVITATIONS_PER_DAY: count(20).describe(
    'Maximum number of invitation emails that one account can send per day, across all API processes. 0: no limit.',
  ),
  RATE_LIMIT_INVITATIONS_PER_EMAIL: count(5).describe(
    'Maximum number of invitation emails to one address per day, from all accounts. 0: no limit.',
  ),
  RATE_LIMIT_RECIPIENTS_PER_DAY: count(1000).describe(
    'Maximum number of recipients, other than its own address, to which one account can send emails per day with POST /api/emails, across all API processes. An address counts once per email. 0: no limit.',
  ),
  RATE_LIMIT_CODE_TRIES_PER_HOUR: count(20).describe(
    'Maximum number of wrong codes per hour and email address, for all codes together. 0: only the limit of five per code.',
  ),
  RATE_LIMIT_STREAMS: count(200).describe(
    'Maximum number of open SSE responses per account, divided by the number of live API processes. 0: no limit.',
  ),
  LIMIT_REQUESTS: count(1000).describe(
    'Maximum number of requests in progress in one API process; additional requests get 503. 0: no limit.',
  ),
  LIMIT_BODY_MEGABYTES: count(128).describe(
    'Maximum total size of the request bodies that one API process holds in memory, in megabytes; additional requests get 503. 0: no limit.',
  ),
  LIMIT_STREAMS: count(5000).describe(
    'Maximum number of open SSE responses of one API process; additional requests get 503. 0: no limit.',
  ),
  LIMIT_GIT_REQUESTS: count(32).describe(
    'Maximum number of git requests in progress in one API process; additional requests get 503. 0: no limit.',
  ),
  LIMIT_CONNECTIONS: count(10_000).describe(
    'Maximum number of connections of one API process; additional connections are closed. 0: no limit.',
  ),
  LIMIT_SHARE_PERCENT: between(
    1,
    100,
  )(25).describe(
    'Percentage of LIMIT_REQUESTS, LIMIT_BODY_MEGABYTES, LIMIT_GIT_REQUESTS, LIMIT_STREAMS and LIMIT_CONNECTIONS that one account can use, divided by the number of live API processes. One IP address can use twice that share. Requests above a share get 429. 100: no shares.',
  ),
  LIMIT_EVENT_LOOP_DELAY_MS: count(500).describe(
    'Mean event loop lag over five seconds, in milliseconds, above which an API process rejects requests with 503. 0: no limit.',
  ),
  REQUEST_TIMEOUT_SECONDS: count(30).describe(
    'Maximum time in seconds before a request gets 503. Intentional waiting, such as long polling, does not count.',
  ),
  BODY_TIMEOUT_SECONDS: positive(30).describe(
    'Maximum time in seconds in which a buffered request body must arrive; otherwise the response is 408. A streamed body (git, uploads) may be this many seconds behind BODY_MIN_BYTES_PER_SECOND.',
  ),
  BODY_MIN_BYTES_PER_SECOND: positive(1024).describe('Minimum transfer rate of a streamed body.'),
  STREAM_FLUSH_MS: count(5).describe(
    'Minimum interval between group commits of the stream log, in milliseconds. Under load, the interval grows with the duration of the commits, up to 100 ms.',
  ),
  STREAM_HEARTBEAT_MS: count(10_000).describe(
    'Time without data, in milliseconds, after which a stream sends a comment line. Access to open streams is also rechecked at this interval.',
  ),
  STREAM_STALL_SECONDS: count(30).describe(
    'Time in seconds after which the connection of a client that accepts no data is closed. The client can resume the stream.',
  ),
  STREAM_MAX_AGE_SECONDS: count(900).describe(
    'Age, in seconds, at which a stream response ends; the client resumes the stream.',
  ),
  STREAM_RETENTION_HOURS: count(48).describe('Time in hours for which the stream of a finished run can be read.'),
  AUDIT_RETENTION_DAYS: between(90)(400).describe(
    'Retention of the audit log in days, rounded up to whole months; at least 90.',
  ),
  PAYMENT_EVENT_RETENTION_DAYS: between(90)(400).describe(
    "Retention of the payment provider's event ids in days; at least 90.",
  ),
  MAIL_LOG_RETENTION_DAYS: positive(400).describe(
    'Retention of the log of sent emails (recipients and outcome), in days.',
  ),
  JOB_RETENTION_DAYS: positive(180).describe(
    'Time in days for which finished background runs, including runs of tasks, can be read.',
  ),
  TIMELINE_RETENTION_DAYS: positive(30).describe(
    'Time in days for which the steps, attempts and tool calls of a finished turn can be read.',
  ),
  EMBEDDED_RETENTION_DAYS: positive(30).describe(
    'Retention, in days, of finished data of the embedded providers: delivered payment events, expired pages, scraper runs.',
  ),
  POST_RETENTION_DAYS: positive().describe(
    'Number of days after publication at which scraped posts are deleted. Unset: they are kept.',
  ),
}

export const limitGroup = { settings: limitShape, validate: () => [] }
