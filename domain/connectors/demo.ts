/** A note, or an event of a calendar, that the embedded broker keeps. */
export type DemoItem = {
  id: string
  kind: 'note' | 'event'
  title: string
  /** The text of a note, the place of an event. */
  body: string
  startsAt: Date | null
  endsAt: Date | null
  createdAt: Date
}

export type NewDemoItem = Omit<DemoItem, 'id' | 'createdAt'>
