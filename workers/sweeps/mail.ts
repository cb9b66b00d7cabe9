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

/** Starts accepted emails that never reached Temporal, and emails whose delivery was lost. */
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

/** Fails abandoned sends and limits the size of the embedded inbox. */
async function tidyMails({ db, log }: MailDeps): Promise<void> {
  const failedCount = await failAbandonedSends(db)
  if (failedCount > 0) log.warn({ mails: failedCount }, 'failed emails whose request died before they were sent')
  await trimInbox(db, maxInboxMessages)
}
