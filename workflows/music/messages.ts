/** Signal that a render may have ended, or has said something: its status is asked for at once. */
export const renderChanged = 'renderChanged'
