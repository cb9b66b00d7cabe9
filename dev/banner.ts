import type { LocalFile } from './stack/data-dir.ts'

const command = '$ echo hello from a real sandbox && uname -a'

/** Formats the text that `npm start` prints when all processes are ready: URLs, credentials and a first command. */
export function formatBanner(local: LocalFile, seconds: string): string {
  const rows = [
    ['API', local.baseUrl],
    ['Console', local.consoleUrl],
    ['Site', local.siteUrl],
    ['Reference', local.referenceUrl],
    ['Temporal', local.temporalUiUrl],
    ['Metrics', local.metricsUrls.api],
    ['Inbox', local.inboxUrl],
    ['Team chat', local.teamChatUrl],
    ['Agents', local.agentAddress],
    ['API key', local.apiKey],
    ['Dev token', local.developmentToken],
  ]
  const addresses = rows.filter(([, value]) => value !== null).map(([name, value]) => `  ${name?.padEnd(10)} ${value}`)
  const turn =
    local.apiKey === null
      ? []
      : [
          '',
          'To stream a turn that runs in a sandbox, paste this into another terminal:',
          '',
          formatFirstTurn(local.baseUrl, local.apiKey),
        ]
  return ['', `Backline is ready (${seconds} s).`, '', ...addresses, ...turn, '', 'Press Ctrl-C to stop.', ''].join(
    '\n',
  )
}

/** Returns shell commands that create a session, start its sandbox and stream a turn. */
function formatFirstTurn(baseUrl: string, apiKey: string): string {
  const part = JSON.stringify({ type: 'text', text: `Please run this:\n${command}` })
  return `URL=${baseUrl} KEY=${apiKey}
send() { curl -sSN -H "x-api-key: $KEY" -H 'content-type: application/json' "$URL$1" -d "$2"; }
created=$(send /api/sessions '{}')
session=$(echo "$created" | ${field('.session.id')})
chat=$(echo "$created" | ${field('.chat.id')})
send /api/sandbox "{\\"sessionId\\":\\"$session\\"}"; echo
send /api/chat '{"sessionId":"'$session'","chatId":"'$chat'","messages":[{"id":"m1","role":"user","parts":[${part}]}]}'`
}

function field(path: string): string {
  return `node -pe 'JSON.parse(fs.readFileSync(0))${path}'`
}
