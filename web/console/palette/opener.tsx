import { Button } from '@mantine/core'
import IconSearch from '@tabler/icons-react/icons/IconSearch'
import { lazy, Suspense, useEffect, useState } from 'react'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
const Shortcuts = lazy(async () => ({ default: (await import('./shortcuts.tsx')).Shortcuts }))

/** Button that opens the palette, as Ctrl+K and ⌘K do. `?` outside of input fields shows the shortcuts. */
export function PaletteOpener() {
  const [open, setOpen] = useState<'palette' | 'shortcuts'>()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      if (!isPalette && (event.key !== '?' || isField(event.target))) return
      event.preventDefault()
      setOpen(isPalette ? 'palette' : 'shortcuts')
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  const close = (): void => setOpen(undefined)
  return (
    <>
      <Button
        className="search"
        size="xs"
        variant="default"
        leftSection={<IconSearch aria-hidden size={14} />}
        rightSection={<kbd aria-hidden="true">Ctrl K</kbd>}
        onClick={() => setOpen('palette')}
      >
        Search
      </Button>
      <Suspense>
        {open === 'palette' && <Palette onClose={close} />}
        {open === 'shortcuts' && <Shortcuts onClose={close} />}
      </Suspense>
    </>
  )
}

function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}
