/** Shows a new file as a diff that adds every line. */
export function AddedFile({ text }: { text: string }) {
  return (
    <Patch
      text={text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => `+${line}`)
        .join('\n')}
    />
  )
}

const lineClasses: Record<string, string> = { '+': 'added', '-': 'removed', '@': 'hunk' }

/** A unified diff. Lines are distinguished by their sign, not by color alone. */
export function Patch({ text }: { text: string }) {
  return (
    <pre className="patch" tabIndex={0} aria-label="Changed lines" role="region">
      {text.split('\n').map((line, index) => (
        <span key={index} className={lineClasses[line[0] ?? '']}>
          {line}
          {'\n'}
        </span>
      ))}
    </pre>
  )
}
