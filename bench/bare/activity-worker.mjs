import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'

// A worker with only the SDK, in plain JavaScript: the minimum start time of any Temporal worker in Node.
Runtime.install({ logger: new DefaultLogger('ERROR') })

const worker = await Worker.create({
  connection: await NativeConnection.connect({ address: process.argv[2] }),
  taskQueue: 'bare-activities',
  activities: { nothing: async () => {} },
})
void worker.run()
process.send('ready')
