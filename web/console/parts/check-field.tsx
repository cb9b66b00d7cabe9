import { Checkbox } from '@mantine/core'
import type { ComponentProps } from 'react'

/** A checkbox of a form. Apart from the other fields, because the first page has none. */
export function CheckField(input: ComponentProps<typeof Checkbox>) {
  return <Checkbox className="field" {...input} />
}
