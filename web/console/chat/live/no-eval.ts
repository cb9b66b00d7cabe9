import { config } from 'zod/v4/core'

// The AI SDK checks messages with zod, which otherwise tries whether it may compile code: the policy of the page says no.
config({ jitless: true })
