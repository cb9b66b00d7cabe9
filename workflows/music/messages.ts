/** Signals that a render may have ended or has new log lines. The workflow then polls its status immediately. */
export const renderChanged = 'renderChanged'
