import { expect, test } from 'vitest'
import { loadConfig } from '../../config.ts'

test.each([
  ['10.0.0.5:7400', undefined],
  ['[fd00::5]:7400', undefined],
  ['machine-1.internal:7400', undefined],
  ['10.0.0.5', 'must be an address and a port from 1024'],
  ['10.0.0.5:443', 'must be an address and a port from 1024'],
  ['10.0.0.5:0443', 'must have a port from 1024 to 65535'],
  ['10.0.0.5:70000', 'must have a port from 1024 to 65535'],
  ['0.0.0.0:7400', 'must be one private address'],
  ['[::]:7400', 'must be one private address'],
  ['10.0.0.5:3000', 'must differ from'],
  ['10.0.0.5:4000', 'must differ from'],
])('SANDBOX_ADDRESS=%s: %s', (address, error) => {
  const load = () => loadConfig({ PORT: '3000', BASE_URL: 'http://backline.internal:4000', SANDBOX_ADDRESS: address })
  if (error === undefined) expect(load().SANDBOX_ADDRESS).toBe(address)
  else expect(load).toThrow(error)
})
