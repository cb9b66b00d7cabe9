import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

type Received = { from: string; to: string[]; raw: string }

/** Replies of the server in cases in which it does not accept an email. */
type Faults = {
  /** Responds to an address with this code. */
  recipient?: Record<string, number>
  /** Responds to the message with this code. `silent` accepts it without a response; `cut` closes the connection. */
  message?: number | 'silent' | 'cut'
  /** Responds to AUTH with this code. */
  login?: number
}

const refusal = (code: number): Error => Object.assign(new Error('no'), { responseCode: code })

/** Starts a local SMTP server that records the emails it accepts. */
export const startSmtpServer = async (options: { user?: string; password?: string } = {}) => {
  const received: Received[] = []
  const faults: Faults = {}
  const sockets = new Set<{ destroy(): void }>()
  const server = new SMTPServer({
    disabledCommands: options.user === undefined ? ['AUTH', 'STARTTLS'] : ['STARTTLS'],
    allowInsecureAuth: true,
    authOptional: options.user === undefined,
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, callback) => {
      if (faults.login !== undefined) callback(refusal(faults.login))
      else if (username === options.user && password === options.password) callback(null, { user: username })
      else callback(refusal(535))
    },
    onRcptTo: ({ address }, _session, callback) => {
      const code = faults.recipient?.[address]
      callback(code === undefined ? null : refusal(code))
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (typeof faults.message === 'number') return callback(refusal(faults.message))
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        })
        if (faults.message === 'cut') for (const socket of sockets) socket.destroy()
        else if (faults.message === undefined) callback()
      })
    },
  })
  server.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const credentials = options.user === undefined ? '' : `${options.user}:${options.password ?? ''}@`
  return {
    received,
    faults,
    port,
    url: `smtp://${credentials}127.0.0.1:${port}`,
    close: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(resolve))
    },
  }
}
