import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'

/** Link to a page of the console that looks like a button. */
export function LinkButton({ to, children }: { to: string; children: string }) {
  return (
    <Button size="xs" variant="default" renderRoot={(props) => <Link to={to} {...props} />}>
      {children}
    </Button>
  )
}
