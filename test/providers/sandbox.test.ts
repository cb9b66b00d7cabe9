import { describeSandbox, localDrivers } from './sandbox-contract.ts'

for (const driver of await localDrivers()) describeSandbox(driver)
