import { Link } from '@tanstack/react-router'
import type { Remedy } from '../access/failure.ts'

/** Link to the page that resolves an error. */
export function RemedyLink({ remedy: { to, label } }: { remedy: Remedy }) {
  return (
    <Link to={to} className="remedy">
      {label}
    </Link>
  )
}
