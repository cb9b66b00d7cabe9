import { ActionIcon } from '@mantine/core'
import type IconCopy from '@tabler/icons-react/icons/IconCopy'

type Props = { label: string; Icon: typeof IconCopy; onClick: () => void; disabled?: boolean; size?: 'sm' | 'md' }

/** Button that shows only an icon. Its label is its accessible name and its tooltip. */
export function IconButton({ label, Icon, size = 'sm', ...button }: Props) {
  return (
    <ActionIcon variant="subtle" color="gray" size={size} aria-label={label} title={label} {...button}>
      <Icon aria-hidden size={15} stroke={1.6} />
    </ActionIcon>
  )
}
