import { Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import IconApi from '@tabler/icons-react/icons/IconApi'
import IconBook from '@tabler/icons-react/icons/IconBook'
import IconDeviceDesktop from '@tabler/icons-react/icons/IconDeviceDesktop'
import IconLogout from '@tabler/icons-react/icons/IconLogout'
import IconMoon from '@tabler/icons-react/icons/IconMoon'
import IconSun from '@tabler/icons-react/icons/IconSun'
import type { ReactElement } from 'react'
import { useCredential } from '../access/credential.ts'
import { signOut } from '../access/sign-in/stay.ts'
import { removeDrafts } from '../chat/drafts.ts'
import { apiOrigin } from '../access/settings.ts'

const schemes: [scheme: MantineColorScheme, label: string, Icon: typeof IconSun][] = [
  ['auto', 'System colors', IconDeviceDesktop],
  ['light', 'Light colors', IconSun],
  ['dark', 'Dark colors', IconMoon],
]

type Props = { button: ReactElement }

/** Menu of the signed-in account. Initially open, because its script loads when the user presses the button. */
export function UserMenu({ button }: Props) {
  const { email } = useCredential()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu defaultOpened position="bottom-end" width={240} transitionProps={{ duration: 0 }}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{email ?? 'Signed in'}</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}>
          {schemes.map(([scheme, label, Icon]) => (
            <Menu.RadioItem key={scheme} value={scheme} rightSection={<Icon aria-hidden size={16} />}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item component="a" href={`${apiOrigin}/docs`} leftSection={<IconBook aria-hidden size={16} />}>
          Guides
        </Menu.Item>
        <Menu.Item component="a" href={`${apiOrigin}/reference`} leftSection={<IconApi aria-hidden size={16} />}>
          API reference
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout aria-hidden size={16} />}
          onClick={() => {
            removeDrafts()
            void signOut()
          }}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
