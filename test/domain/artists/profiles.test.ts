import { describe, expect, test } from 'vitest'
import { parseProfile, streamingProfile } from '../../../domain/artists/profiles.ts'

const hosts = { streaming: 'open.streaming.example', liveEvents: 'events.example' }
const read = (text: string) => parseProfile(text, hosts)

describe('the platform of a profile is determined by its host or parent domain', () => {
  test.each([
    ['https://www.tiktok.com/@abba', 'TIKTOK'],
    ['http://m.tiktok.com/@abba', 'TIKTOK'],
    ['https://instagram.com/abba', 'PHOTO'],
    ['https://x.com/abba', 'X'],
    ['https://mobile.twitter.com/abba', 'X'],
    ['https://threads.com/@abba', 'THREADS'],
    ['https://www.threads.net/@abba', 'THREADS'],
    ['https://music.youtube.com/@abba', 'VIDEO'],
    ['https://de-de.facebook.com/abba', 'FACEBOOK'],
    ['https://se.linkedin.com/in/abba', 'LINKEDIN'],
    ['https://open.streaming.example/artist/0LcJ', 'STREAMING'],
    ['https://events.example/a/42-abba', 'LIVE_EVENTS'],
    ['https://abba.example', 'OTHER'],
    ['https://nottiktok.com/@abba', 'OTHER'],
    ['https://tiktok.com.evil.example/@abba', 'OTHER'],
    ['https://evil.example/tiktok.com/@abba', 'OTHER'],
    ['https://evil.example?tiktok.com/@abba', 'OTHER'],
    ['https://streaming.example/artist/0LcJ', 'OTHER'],
  ])('%s is %s', (text, token) => expect(read(text)?.token).toBe(token))
})

describe('all spellings of a profile have one normal form', () => {
  test.each([
    ['HTTPS://WWW.TikTok.com/@ABBA/?lang=en#top', 'tiktok.com/@abba'],
    ['http://tiktok.com./@abba//', 'tiktok.com/@abba'],
    ['  https://tiktok.com//@abba  ', 'tiktok.com/@abba'],
    ['https://twitter.com/ABBA', 'x.com/abba'],
    ['https://mobile.twitter.com/ABBA', 'mobile.x.com/abba'],
    ['https://nottwitter.com/ABBA', 'nottwitter.com/ABBA'],
    [
      'https://www.open.streaming.example/artist/0LcJLqbBmaGUft1e9Mm8HV?si=1',
      'open.streaming.example/artist/0LcJLqbBmaGUft1e9Mm8HV',
    ],
    ['https://open.streaming.example/intl-de/artist/0LcJ', 'open.streaming.example/artist/0LcJ'],
    ['https://youtube.com/channel/UCaBc', 'youtube.com/channel/UCaBc'],
    ['https://youtube.com/@Abba', 'youtube.com/@abba'],
    ['https://facebook.com/profile.php?id=1000&ref=x', 'facebook.com/1000'],
    ['https://events.example/a/42-ABBA', 'events.example/a/42-abba'],
    ['https://www.Abba.example/', 'abba.example'],
    ['https://abba.example:8443/About', 'abba.example:8443/About'],
    ['https://www.facebook.com/share/1AbC/', 'facebook.com/share/1AbC'],
    ['https://facebook.com/Share/1AbC', 'facebook.com/share/1AbC'],
    ['https://facebook.com/people/Abba-Fans/61550AbC', 'facebook.com/people/Abba-Fans/61550AbC'],
    ['https://facebook.com/Abba/about', 'facebook.com/abba/about'],
    ['https://youtube.com/Channel/UCaBc/Videos', 'youtube.com/channel/UCaBc/Videos'],
    ['https://youtube.com/c/Abba', 'youtube.com/c/abba'],
    ['https://linkedin.com/in/Abba', 'linkedin.com/in/abba'],
    ['https://linkedin.com/redirect/AbC', 'linkedin.com/redirect/AbC'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
  ])('%s is %s', (text, url) => {
    expect(read(text)?.url).toBe(url)
    expect(read(`https://${url}`)?.url).toBe(url)
  })
})

describe('the name of a profile is part of its URL', () => {
  test.each([
    ['https://tiktok.com/@abba', 'abba'],
    ['https://instagram.com/abba.official/reels', 'abba.official'],
    ['https://facebook.com/share/1AbC', '1AbC'],
    ['https://facebook.com/people/Abba/61550', '61550'],
    ['https://linkedin.com/company/abba', 'abba'],
    ['https://linkedin.com/in/abba', 'abba'],
    ['https://linkedin.com/school/abba', 'abba'],
    ['https://linkedin.com/feed/abba', null],
    ['https://youtube.com/@abba', 'abba'],
    ['https://youtube.com/channel/UCaBc', 'UCaBc'],
    ['https://youtube.com/c/abba', 'abba'],
    ['https://youtube.com/user/abba', 'abba'],
    ['https://youtube.com/watch', null],
    [`https://x.com/${'a'.repeat(100)}`, 'a'.repeat(100)],
    [`https://x.com/${'a'.repeat(101)}`, null],
    ['https://x.com/a%20b', null],
    ['https://open.streaming.example/artist/0LcJ', null],
    ['https://events.example/a/42-abba', null],
    ['https://abba.example/abba', null],
  ])('%s: %s', (text, username) => expect(read(text)).toMatchObject({ username }))
})

test.each([
  'https://tiktok.com/@abba/video/7300000000000000001',
  'https://instagram.com/p/AbC',
  'https://instagram.com/reel/AbC',
  'https://instagram.com/abba/reel/AbC',
  'https://x.com/abba/status/1',
  'https://threads.com/@abba/post/AbC',
  'https://youtube.com/watch?v=AbC',
  'https://youtube.com/shorts/AbC',
  'https://facebook.com/reel/1',
  'https://facebook.com/watch?v=1',
  'https://facebook.com/share/r/1AbC',
  'https://facebook.com/story.php?id=1',
  'https://facebook.com/abba/posts/pfbid1AbC',
  'https://linkedin.com/posts/abba_1',
  'https://linkedin.com/feed/update/urn:li:activity:1',
])('%s is content, not a profile', (text) => expect(read(text)).toBeUndefined())

test.each([
  '',
  'abba',
  'tiktok.com/@abba',
  'javascript:alert(1)',
  'javascript://tiktok.com/%0aalert(1)',
  'data:text/html,abba',
  'ftp://tiktok.com/@abba',
  '//tiktok.com/@abba',
  'https://',
  'https://user@tiktok.com/@abba',
  'https://user:secret@tiktok.com/@abba',
  'https://tiktok.com/@ab\nba',
  'https://tiktok.com',
  'https://tiktok.com/?a=/@abba',
  `https://abba.example/${'a'.repeat(2048)}`,
])('%j is not a profile', (text) => expect(read(text)).toBeUndefined())

test('the streaming profile of an artist id has a URL that contains the id', () => {
  expect(streamingProfile('0LcJ', hosts)).toEqual(read('https://open.streaming.example/artist/0LcJ'))
  expect(streamingProfile('0lcj', hosts)).not.toEqual(streamingProfile('0LcJ', hosts))
})
