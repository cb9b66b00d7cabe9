/** A note or calendar event of the embedded broker. */
export type DemoItem = {
  id: string
  kind: 'note' | 'event'
  title: string
  /** Text of a note, or place of an event. */
  body: string
  startsAt: Date | null
  endsAt: Date | null
  createdAt: Date
}

export type NewDemoItem = Omit<DemoItem, 'id' | 'createdAt'>
