import { networkInterfaces } from 'node:os'

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)

/** URL hosts of the loopback interfaces that this machine has. */
export const loopback: string[] = ['127.0.0.1', ...(hasIPv6 ? ['[::1]'] : [])]
