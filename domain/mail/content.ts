/** An email without its sender address, as it is stored until it is sent. */
export type MailContent = {
  to: string[]
  cc?: string[]
  subject: string
  html: string
  text: string
  headers?: Record<string, string>
}
