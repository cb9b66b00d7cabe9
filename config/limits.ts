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
      'Mails and other work on behalf of one account, for all its callers, over all API processes. 0: no limit.',
  }),
  RATE_LIMIT_CHECKOUTS_PER_MINUTE: count.default(60).meta({
    description:
      'Purchases begun per account, or per network address without one, over all API processes. 0: no limit.',
  }),
  RATE_LIMIT_SIGNUPS_PER_HOUR: count
    .default(600)
    .meta({ description: 'Signups and verifications per network address, over all API processes. 0: no limit.' }),
  RATE_LIMIT_SIGNUPS_PER_EMAIL: count
    .default(10)
    .meta({ description: 'Signups per email address and hour, over all API processes. 0: no limit.' }),
  RATE_LIMIT_INVITATIONS_PER_DAY: count
    .default(20)
    .meta({ description: 'Invitation mails that one account may cause in a day, over all processes. 0: no limit.' }),
  RATE_LIMIT_INVITATIONS_PER_EMAIL: count
    .default(5)
    .meta({ description: 'Invitation mails to one address in a day, from all accounts. 0: no limit.' }),
  RATE_LIMIT_RECIPIENTS_PER_DAY: count.default(1000).meta({
    description:
      'Addresses other than its own that one account writes to in a day by POST /api/emails, over all processes; an address counts with each mail. 0: no limit.',
  }),
  RATE_LIMIT_CODE_TRIES_PER_HOUR: count
    .default(20)
    .meta({ description: 'Wrong codes per email address, over all its codes. 0: only the limit of five per code.' }),
  RATE_LIMIT_STREAMS: count
    .default(200)
    .meta({ description: 'Open SSE responses per account and API process. 0: no limit.' }),
  LIMIT_REQUESTS: count
    .default(1000)
    .meta({ description: 'Requests that one API process handles at once; more are refused with 503. 0: no limit.' }),
  LIMIT_BODY_MEGABYTES: count.default(128).meta({
    description:
      'What one API process has received of request bodies and holds at once, megabytes; more is refused with 503. 0: no limit.',
  }),
  LIMIT_STREAMS: count
    .default(5000)
    .meta({ description: 'Open SSE responses of one API process; more are refused with 503. 0: no limit.' }),
  LIMIT_GIT_REQUESTS: count.default(32).meta({
    description: 'Git requests that one API process handles at once; more are refused with 503. 0: no limit.',
  }),
  LIMIT_CONNECTIONS: count
    .default(10_000)
    .meta({ description: 'Connections of one API process; more are closed. 0: no limit.' }),
  LIMIT_SHARE_PERCENT: count.min(1).max(100).default(25).meta({
    description:
      'Percentage of LIMIT_REQUESTS, LIMIT_BODY_MEGABYTES, LIMIT_GIT_REQUESTS, LIMIT_STREAMS and LIMIT_CONNECTIONS that one account may have; one network address may have twice that. More is refused with 429. 100: no shares.',
  }),
  LIMIT_EVENT_LOOP_DELAY_MS: count.default(500).meta({
    description:
      'Mean delay of the event loop over five seconds above which an API process refuses with 503. 0: no limit.',
  }),
  REQUEST_TIMEOUT_SECONDS: count.default(30).meta({
    description: 'Time after which an unanswered request gets 503; time that it waits on purpose does not count.',
  }),
  BODY_TIMEOUT_SECONDS: count.min(1).default(30).meta({
    description:
      'Time in which a request body that is kept in memory must be here, else 408. A body that is used as it comes (git, uploads) may be this far behind BODY_MIN_BYTES_PER_SECOND.',
  }),
  BODY_MIN_BYTES_PER_SECOND: count
    .min(1)
    .default(1024)
    .meta({ description: 'Least rate of a body that is used as it comes.' }),
  STREAM_FLUSH_MS: count.default(5).meta({
    description:
      'Least interval between group commits of the stream log, milliseconds. Under load it follows the time that they take, up to 60.',
  }),
  STREAM_HEARTBEAT_MS: count.default(10_000).meta({
    description:
      'Silence after which a stream gets a comment line, and how often access to open responses is rechecked.',
  }),
  STREAM_STALL_SECONDS: count.default(30).meta({
    description:
      'A reader of a stream or of another answer that takes nothing for this long is closed; a stream resumes by id.',
  }),
  STREAM_MAX_AGE_SECONDS: count
    .default(900)
    .meta({ description: 'Age at which a stream response ends; its client resumes.' }),
  STREAM_RETENTION_HOURS: count.default(48).meta({ description: 'How long the log of an ended run stays readable.' }),
  AUDIT_RETENTION_DAYS: count
    .min(90)
    .default(400)
    .meta({ description: 'How long rows of the audit are kept, in whole months beyond it; 90 at least.' }),
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
    .meta({ description: 'How long ended background runs, of tasks too, can be read.' }),
  TIMELINE_RETENTION_DAYS: count.min(1).default(30).meta({
    description: 'How long after its end the steps, attempts and tool calls of a turn can be read.',
  }),
  EMBEDDED_RETENTION_DAYS: count.min(1).default(30).meta({
    description:
      'How long the embedded providers keep what is over: delivered payment events, expired pages, runs of the scraper.',
  }),
  POST_RETENTION_DAYS: count.min(1).optional().meta({
    description: 'Days after which scraped posts are deleted, since they were published. Unset: they are kept.',
  }),
}

export const limitGroup = { names: limitNames, faults: () => [] }
