import { trimInbox } from '../../db/mail/inbox.ts'
import { listDueMails, markMailStarted } from '../../db/mail/outbox.ts'
import { failAbandonedSends } from '../../db/mail/send-log.ts'
import type { SweeperDeps } from './runtime/deps.ts'
import { deliverMail } from '../../workflows/mail/messages.ts'
import type { Sweep } from './runtime/loop.ts'

export const mailSweeps: Sweep[] = [
  { name: 'start mails', everySeconds: 5, run: startMails },
  { name: 'tidy mails', everySeconds: 60, run: tidyMails },
]

type MailDeps = Pick<SweeperDeps, 'db' | 'engine' | 'log' | 'eachRow'>

const maxInboxMessages = 5000

/** Starts mails that were accepted and never reached the engine, and those whose delivery the engine has lost. */
function startMails({ db, engine, eachRow }: MailDeps): Promise<void> {
  return eachRow(
    'start mails',
    (page) => listDueMails(db, page),
    async ({ id }) => {
      await engine.start(deliverMail, { mailId: id })
      await markMailStarted(db, id)
    },
  )
}

/** Ends what no request waits for any more, and keeps the embedded inbox small. */
async function tidyMails({ db, log }: MailDeps): Promise<void> {
  const failed = await failAbandonedSends(db)
  if (failed > 0) log.warn({ mails: failed }, 'mails of requests that died count as not sent')
  await trimInbox(db, maxInboxMessages)
}
