import { expect, it } from 'vitest'
import { isPublicAddress } from '../../../providers/egress/addresses.ts'

it.each(['93.184.216.34', '1.1.1.1', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450:4001:80b::200e'])(
  '%s is public',
  (address) => expect(isPublicAddress(address)).toBe(true),
)

it.each([
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.8.8.8',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:1.1.1.1',
  '::ffff:7f00:1',
  '::ffff:0:7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::a00:1',
  '2001:db8::1',
  '2001::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '100::1',
])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false))

it.each(['', 'localhost', 'example.com', '127.1', '0x7f.0.0.1', '2130706433', '010.0.0.1', '1.1.1.1:80', '1.1.1.1 '])(
  '%j is not an address',
  (address) => expect(isPublicAddress(address)).toBe(false),
)
