import { worker } from 'workerpool'
import { renderMail } from '../../domain/mail/render.ts'
import { readMessage } from '../../providers/mail/read-message.ts'
import { renderSharedChat } from './shared-chat.ts'

// Runs in a separate thread: see renderer.ts.
worker({ renderMail, readMessage, renderSharedChat })
