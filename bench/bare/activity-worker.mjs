import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'

// A worker of the SDK alone, in plain JavaScript: its start is what none of a worker in Node can do without.
Runtime.install({ logger: new DefaultLogger('ERROR') })

const worker = await Worker.create({
  connection: await NativeConnection.connect({ address: process.argv[2] }),
  taskQueue: 'bare-activities',
  activities: { nothing: async () => {} },
})
void worker.run()
process.send('ready')
