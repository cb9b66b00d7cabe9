import { expect, it } from 'vitest'
import { eventsProfileForm, eventsProfileId, findEventsProfile } from '../../../domain/events/profile.ts'

it.each([
  ['bandsintown.com/a/15551-nova-quartet', '15551'],
  ['https://www.bandsintown.com/a/15551-nova?came_from=1#x', '15551'],
  ['bandsintown.com/a/15551', undefined],
  ['bandsintown.com/a/15551-', undefined],
  ['bandsintown.com/a/x15551-nova', undefined],
  ['bandsintown.com/a/15551-nova/tour', undefined],
  ['bandsintown.com/nova', undefined],
  ['not an address://', undefined],
  ['', undefined],
])('the live-events profile id in %j is %j', (url, id) => expect(eventsProfileId(url)).toBe(id))

it('the profile id is read from the first link that contains one', () => {
  expect(findEventsProfile(['bandsintown.com/nova', 'bandsintown.com/a/2-two', 'bandsintown.com/a/3-three'])).toBe('2')
  expect(findEventsProfile([])).toBeUndefined()
  expect(eventsProfileForm('bandsintown.com')).toBe('https://bandsintown.com/a/<number>-<name>')
})
