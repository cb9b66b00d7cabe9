import { Kbd } from '@mantine/core'
import { Dialog } from '../parts/dialogs/dialog.tsx'

const shortcuts: [keys: string[], description: string][] = [
  [['Ctrl', 'K'], 'Go to a page, chat, run or artist'],
  [['?'], 'Show these shortcuts'],
  [['Enter'], 'Send the message, or queue it during an answer'],
  [['Shift', 'Enter'], 'Start a new line in the message'],
  [['Escape'], 'Close a dialog or a menu'],
]

/** Dialog with the keyboard shortcuts of the console. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="shortcuts">
        {shortcuts.map(([keys, description]) => (
          <div key={description}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
