/** Text of a program, in a box that can be scrolled with the keyboard. `label`: makes the box a landmark with this name. */
export function Output({ text, label, className = '' }: { text: string; label?: string; className?: string }) {
  return (
    <pre className={`output ${className}`} tabIndex={0} role={label && 'region'} aria-label={label}>
      {text}
    </pre>
  )
}
