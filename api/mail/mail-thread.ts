import { worker } from 'workerpool'
import { renderMail } from '../../domain/mail/render.ts'
import { readMessage } from '../../providers/mail/read-message.ts'

// Runs in a thread of its own: see mail-renderer.ts.
worker({ renderMail, readMessage })
