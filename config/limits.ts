import { count } from './values.ts'

const limitNames = {
  RATE_LIMIT_PER_MINUTE: count
    .default(6000)
    .meta({ description: 'Requests per account and API process. 0: no limit.' }),
  RATE_LIMIT_STARTS_PER_MINUTE: count
    .default(600)
    .meta({ description: 'Requests per account that start work, over all API processes. 0: no limit.' }),
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: count.default(600).meta({
    description: 'Reads of shared chats per network address and API process. 0: no limit.',
  }),
  RATE_LIMIT_WORK_PER_MINUTE: count.default(300).meta({
    description:
      'Emails and other work on behalf of one account, for all its callers, over all API processes. 0: no limit.',
  }),
  RATE_LIMIT_CHECKOUTS_PER_MINUTE: count.default(60).meta({
    description:
      'Purchases started per minute and account, or per network address without an account, over all API processes. 0: no limit.',
  }),
  RATE_LIMIT_SIGNUPS_PER_HOUR: count
    .default(600)
    .meta({ description: 'Signups and verifications per network address, over all API processes. 0: no limit.' }),
  RATE_LIMIT_SIGNUPS_PER_EMAIL: count
    .default(10)
    .meta({ description: 'Signups per email address and hour, over all API processes. 0: no limit.' }),
  RATE_LIMIT_INVITATIONS_PER_DAY: count
    .default(20)
    .meta({ description: 'Invitation emails that one account may cause per day, over all processes. 0: no limit.' }),
  RATE_LIMIT_INVITATIONS_PER_EMAIL: count
    .default(5)
    .meta({ description: 'Invitation emails to one address per day, from all accounts. 0: no limit.' }),
  RATE_LIMIT_RECIPIENTS_PER_DAY: count.default(1000).meta({
    description:
      'Number of addresses other than its own to which one account can send mail per day with POST /api/emails, over all processes. An address counts once per mail. 0: no limit.',
  }),
  RATE_LIMIT_CODE_TRIES_PER_HOUR: count
    .default(20)
    .meta({ description: 'Wrong codes per email address, over all its codes. 0: only the limit of five per code.' }),
  RATE_LIMIT_STREAMS: count
    .default(200)
    .meta({ description: 'Open SSE responses per account and API process. 0: no limit.' }),
  LIMIT_REQUESTS: count.default(1000).meta({
    description: 'Maximum number of requests in progress in one API process; further requests get 503. 0: no limit.',
  }),
  LIMIT_BODY_MEGABYTES: count.default(128).meta({
    description:
      'Maximum size of the received request bodies in the memory of one API process, in megabytes; further requests get 503. 0: no limit.',
  }),
  LIMIT_STREAMS: count.default(5000).meta({
    description: 'Maximum number of open SSE responses of one API process; further requests get 503. 0: no limit.',
  }),
  LIMIT_GIT_REQUESTS: count.default(32).meta({
    description:
      'Maximum number of git requests in progress in one API process; further requests get 503. 0: no limit.',
  }),
  LIMIT_CONNECTIONS: count.default(10_000).meta({
    description: 'Maximum number of connections of one API process; further connections are closed. 0: no limit.',
  }),
  LIMIT_SHARE_PERCENT: count.min(1).max(100).default(25).meta({
    description:
      'Percentage of LIMIT_REQUESTS, LIMIT_BODY_MEGABYTES, LIMIT_GIT_REQUESTS, LIMIT_STREAMS and LIMIT_CONNECTIONS that one account can use. One network address can use twice that share. Requests above a share get 429. 100: no shares.',
  }),
  LIMIT_EVENT_LOOP_DELAY_MS: count.default(500).meta({
    description:
      'Mean delay of the event loop over five seconds above which an API process refuses requests with 503. 0: no limit.',
  }),
  REQUEST_TIMEOUT_SECONDS: count.default(30).meta({
    description:
      'Time after which a request without a response gets 503. Time for which a request waits intentionally does not count.',
  }),
  BODY_TIMEOUT_SECONDS: count.min(1).default(30).meta({
    description:
      'Time in which a request body that is kept in memory must arrive; otherwise the response is 408. A streamed body (git, uploads) may be behind BODY_MIN_BYTES_PER_SECOND by this time.',
  }),
  BODY_MIN_BYTES_PER_SECOND: count.min(1).default(1024).meta({ description: 'Minimum rate of a streamed body.' }),
  STREAM_FLUSH_MS: count.default(5).meta({
    description:
      'Minimum interval between group commits of the stream log, in milliseconds. Under load, the interval grows with the duration of the commits, up to 60.',
  }),
  STREAM_HEARTBEAT_MS: count.default(10_000).meta({
    description:
      'Time without data after which a comment line is sent on a stream, and interval at which the access of open responses is rechecked.',
  }),
  STREAM_STALL_SECONDS: count.default(30).meta({
    description:
      'Time after which the connection of a reader that accepts no data is closed. The client of a stream resumes by id.',
  }),
  STREAM_MAX_AGE_SECONDS: count
    .default(900)
    .meta({ description: 'Age at which a stream response ends; its client resumes.' }),
  STREAM_RETENTION_HOURS: count
    .default(48)
    .meta({ description: 'Time for which the log of an ended run stays readable.' }),
  AUDIT_RETENTION_DAYS: count
    .min(90)
    .default(400)
    .meta({ description: 'Time for which rows of the audit log are kept, rounded up to whole months; at least 90.' }),
  PAYMENT_EVENT_RETENTION_DAYS: count
    .min(90)
    .default(400)
    .meta({ description: "How long the ids of the payment provider's events are kept; at least 90." }),
  MAIL_LOG_RETENTION_DAYS: count
    .min(1)
    .default(400)
    .meta({ description: 'How long the log of sent mail (recipients and outcome) is kept.' }),
  JOB_RETENTION_DAYS: count
    .min(1)
    .default(180)
    .meta({ description: 'Time for which ended background runs, including runs of tasks, can be read.' }),
  TIMELINE_RETENTION_DAYS: count.min(1).default(30).meta({
    description: 'Time after the end of a turn for which its steps, attempts and tool calls can be read.',
  }),
  EMBEDDED_RETENTION_DAYS: count.min(1).default(30).meta({
    description:
      'Time for which the embedded providers keep finished data: delivered payment events, expired pages, scraper runs.',
  }),
  POST_RETENTION_DAYS: count.min(1).optional().meta({
    description: 'Days after their publication after which scraped posts are deleted. Unset: they are kept.',
  }),
}

export const limitGroup = { names: limitNames, faults: () => [] }
