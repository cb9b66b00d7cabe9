import { Button } from '@mantine/core'
import IconSearch from '@tabler/icons-react/icons/IconSearch'
import { lazy, Suspense, useEffect, useState } from 'react'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
const Shortcuts = lazy(async () => ({ default: (await import('./shortcuts.tsx')).Shortcuts }))

/** Button that opens the palette, as Ctrl+K and ⌘K do. `?` outside of input fields shows the shortcuts. */
export function PaletteOpener() {
  const [dialog, setDialog] = useState<'palette' | 'shortcuts'>()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      if (!isPalette && (event.key !== '?' || isInputField(event.target))) return
      event.preventDefault()
      setDialog(isPalette ? 'palette' : 'shortcuts')
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  const close = (): void => setDialog(undefined)
  return (
    <>
      <Button
        className="search"
        size="xs"
        variant="default"
        leftSection={<IconSearch aria-hidden size={14} />}
        rightSection={<kbd aria-hidden="true">Ctrl K</kbd>}
        onClick={() => setDialog('palette')}
      >
        Search
      </Button>
      <Suspense>
        {dialog === 'palette' && <Palette onClose={close} />}
        {dialog === 'shortcuts' && <Shortcuts onClose={close} />}
      </Suspense>
    </>
  )
}

function isInputField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}
