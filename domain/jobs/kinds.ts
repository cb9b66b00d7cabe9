/** Kinds of paid jobs. They must not be renamed, because rows and workflow types contain them. */
export const paidJobs = ['capture-play-counts', 'scrape-socials', 'render-music', 'create-content'] as const

/** Kinds of runs, in the order of the console's filter. */
export const runKinds = ['turn', 'scheduled-task', 'setup-sandbox', 'commit-files', ...paidJobs] as const
export type RunKind = (typeof runKinds)[number]
