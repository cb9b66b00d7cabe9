/** A profile in a scraper's result. Missing values are null. */
export type ScrapedProfile = {
  username: string | null
  avatar: string | null
  bio: string | null
  region: string | null
  followers: number | null
  following: number | null
}

/** `url` is in the canonical form of the platform; `kind` is the platform's own term, such as `original`. */
export type ScrapedPost = {
  url: string
  publishedAt: Date
  views: number | null
  likes: number | null
  comments: number | null
  reposts: number | null
  kind: string | null
}
