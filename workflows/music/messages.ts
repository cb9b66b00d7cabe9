/** Signal that a render may have ended or has new log lines. The workflow polls its status immediately. */
export const renderChanged = 'renderChanged'
