import { describeSandbox, localDrivers } from './sandbox-contract.ts'
import { cloudDrivers } from './vendors/drivers.ts'

const locals = await localDrivers()
for (const driver of [...locals, ...cloudDrivers(locals)]) describeSandbox(driver)
