import { worker } from 'workerpool'
import { renderMail } from '../domain/mail/render.ts'

// Runs in a thread of its own: see mail-renderer.ts.
worker({ renderMail })
