import { Checkbox } from '@mantine/core'
import type { ComponentProps } from 'react'

/** Checkbox of a form. */
export function CheckField(input: ComponentProps<typeof Checkbox>) {
  return <Checkbox className="field" {...input} />
}
