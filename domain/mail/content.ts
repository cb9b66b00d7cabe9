/** A mail before anybody knows its sender: what is stored until it is sent. */
export type MailContent = {
  to: string[]
  cc?: string[]
  subject: string
  html: string
  text: string
  headers?: Record<string, string>
}
