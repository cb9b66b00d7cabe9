import { config } from 'zod/v4/core'

// The AI SDK validates messages with zod, which otherwise compiles code and violates the page's content security policy.
config({ jitless: true })
