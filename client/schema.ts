// The types of the API, from the document at /openapi.json. Written by `npm run client`; never edited.
export interface paths {
    "/api/accounts/id": {
        /**
         * Read the caller's account id
         * @description Access: Returns only the caller's own account id.
         */
        get: operations["getAccountsId"];
    };
    "/api/accounts/{id}": {
        /**
         * Read an account
         * @description Finds the account by its id or by one of its email addresses.
         *
         *     Access: The caller, and accounts that the caller may act for; with a bearer token, also the caller's organizations.
         */
        get: operations["getAccountsById"];
    };
    "/api/accounts": {
        /**
         * Change an account
         * @description Fields that are not sent remain unchanged. An empty string clears its field.
         *
         *     Access: The caller, or the account named by account_id that the caller may act for.
         */
        patch: operations["patchAccounts"];
    };
    "/api/agents/signup": {
        /**
         * Sign up with an email address
         * @description Returns an API key immediately for a new agent address. For any other address, sends a code by email; exchange it for a key with POST /api/agents/verify.
         *
         *     Access: Creates or finds the account of the address and reveals only its id.
         */
        post: operations["postAgentsSignup"];
    };
    "/api/agents/verify": {
        /**
         * Exchange a code for an API key
         * @description A code can be used once, within 24 hours. It becomes invalid after five wrong attempts.
         *
         *     Access: Returns an API key of the account to whose address the code was emailed.
         */
        post: operations["postAgentsVerify"];
    };
    "/api/keys": {
        /**
         * List the caller's keys, newest first
         * @description Access: Keys of the caller only. A key with an expiry, such as the key of a run, gets 403.
         */
        get: operations["getKeys"];
        /**
         * Create a key, whose value is returned only once
         * @description Access: Keys of the caller only. A key with an expiry, such as the key of a run, gets 403.
         */
        post: operations["postKeys"];
        /**
         * Delete a key
         * @description Send the id in the body, or in the query when there is no body.
         *
         *     Access: Keys of the caller only. A key with an expiry, such as the key of a run, gets 403.
         */
        delete: operations["deleteKeys"];
    };
    "/api/organizations": {
        /**
         * List the organizations of an account, or those that invite it
         * @description Access: Organizations of the caller, or of the account named by account_id that the caller may act for.
         */
        get: operations["getOrganizations"];
        /**
         * Create an organization
         * @description The caller becomes the first member. A new organization has no credits.
         *
         *     Access: The organization belongs to the caller. A key with an expiry, such as the key of a run, gets 403.
         */
        post: operations["postOrganizations"];
    };
    "/api/organizations/{id}": {
        /**
         * Read an organization
         * @description Access: Members of the organization and of the admin organization.
         */
        get: operations["getOrganizationsById"];
    };
    "/api/organizations/members": {
        /**
         * List the members and invited accounts of an organization
         * @description The name of an invited account is visible only after it has accepted.
         *
         *     Access: Members of the organization and of the admin organization.
         */
        get: operations["getOrganizationsMembers"];
        /**
         * Invite a person to an organization
         * @description Sends the invited account an email, at most one in 24 hours. The account becomes a member when it accepts; for a member nothing changes. The email names the organization only if the recipient has accepted an invitation before. The number of invitation emails per sending account and per recipient address is limited each day (429).
         *
         *     Access: Members of the organization and of the admin organization. A key with an expiry, such as the key of a run, gets 403.
         */
        post: operations["postOrganizationsMembers"];
        /**
         * Remove a member, withdraw an invitation, or leave an organization
         * @description Removing an account that is neither a member nor invited has no effect. The last member cannot be removed.
         *
         *     Access: Members of the organization and of the admin organization. An account may remove itself. A key with an expiry, such as the key of a run, gets 403.
         */
        delete: operations["deleteOrganizationsMembers"];
    };
    "/api/organizations/members/accept": {
        /**
         * Accept an invitation
         * @description Accepts an invitation that the caller received. The call is safe to repeat.
         *
         *     Access: Invitations that the caller received. A key with an expiry, such as the key of a run, gets 403.
         */
        post: operations["postOrganizationsMembersAccept"];
    };
    "/api/artists": {
        /**
         * List artists, pinned ones first, then by name
         * @description Returns the roster of the account or, with organization_id, the artists attached to that organization.
         *
         *     Access: The roster of the caller or of an account it may act for. The artists of an organization are visible to its members.
         */
        get: operations["getArtists"];
        /**
         * Create an artist, or add an existing one
         * @description Uses the artist whose streaming profile is streaming_artist_id (200), or creates one (201). Adds the artist to the roster, and attaches it to the named organization.
         *
         *     Access: The roster must be the caller's, or that of account_id if the caller may act for it. Attaching to an organization requires membership.
         */
        post: operations["postArtists"];
    };
    "/api/accounts/artists": {
        /**
         * Add an existing artist to the roster
         * @description The call is safe to repeat.
         *
         *     Access: The roster of the caller, or of an account that the caller may act for. The artist must have a streaming profile or be accessible to the account. A key with an expiry, such as the key of a run, gets 403.
         */
        post: operations["postAccountsArtists"];
    };
    "/api/artists/{id}": {
        /**
         * Read an artist as a workspace sees it
         * @description The workspace is the named organization, or the account by default.
         *
         *     Access: The artist must be on the roster of the caller, or of the account named by account_id that the caller may act for, or be attached to one of that account's organizations.
         */
        get: operations["getArtistsById"];
        /**
         * Remove an artist from the roster
         * @description Deletes the account's own data about the artist. Deletes the artist itself if no roster, organization, session or task refers to it any longer. 409: the account has the artist only through an organization; detach it there.
         *
         *     Access: The artist must be on the roster of the caller, or of the account named by account_id that the caller may act for, or be attached to one of that account's organizations.
         */
        delete: operations["deleteArtistsById"];
        /**
         * Update an artist's workspace data, pin and linked profiles
         * @description name, image, instruction, label and knowledges are private to a workspace: the named organization; otherwise the account, if the artist is on its roster; otherwise the organization that gives the account access to the artist. Profiles are shared by all workspaces: one for each platform, and up to 20 for OTHER.
         *
         *     Access: The artist must be on the roster of the caller, or of the account named by account_id that the caller may act for, or be attached to one of that account's organizations. A key with an expiry, such as the key of a run, gets 403 where the change gives lasting access.
         */
        patch: operations["patchArtistsById"];
    };
    "/api/artists/{id}/profile": {
        /**
         * Read the public profile of an artist and its songs in your catalogs
         * @description Contains only shared data, without the data that workspaces keep about the artist or a song. Songs are grouped by catalog, newest catalog first, and sorted by plays; the page size counts songs.
         *
         *     Access: The artist must be on the caller's roster or be attached to one of the caller's organizations. Only catalogs of these owners are included.
         */
        get: operations["getArtistsByIdProfile"];
    };
    "/api/organizations/artists": {
        /**
         * Attach an artist to an organization
         * @description Gives all members access to the artist. A repeated call returns the same id.
         *
         *     Access: The caller must be a member of the organization and have access to the artist. A key with an expiry, such as the key of a run, gets 403.
         */
        post: operations["postOrganizationsArtists"];
        /**
         * Detach an artist from an organization
         * @description The call is safe to repeat. The organization's own data about the artist is kept in case the artist is attached again.
         *
         *     Access: The caller must be a member of the organization. A key with an expiry, such as the key of a run, gets 403.
         */
        delete: operations["deleteOrganizationsArtists"];
    };
    "/api/artists/{id}/socials": {
        /**
         * List the linked profiles of an artist, sorted by platform and URL
         * @description Access: The artist must be on the caller's roster or be attached to one of the caller's organizations.
         */
        get: operations["getArtistsByIdSocials"];
    };
    "/api/artists/{id}/posts": {
        /**
         * List the posts of the linked profiles of an artist, newest first
         * @description Returns the posts that scrapes have stored. A count is null if the platform does not report it.
         *
         *     Access: The artist must be on the caller's roster or be attached to one of the caller's organizations.
         */
        get: operations["getArtistsByIdPosts"];
    };
    "/api/artists/{id}/socials/{socialId}": {
        /**
         * Remove a profile link of an artist
         * @description Only the link is removed. The profile and its stored data are kept.
         *
         *     Access: The artist must be on the caller's roster or be attached to one of the caller's organizations. The caller's account or organization must have added the link or created the artist. A key with an expiry, such as the key of a run, gets 403.
         */
        delete: operations["deleteArtistsByIdSocialsBySocialId"];
    };
    "/api/research/artists": {
        /**
         * Find artists of the streaming platform by name
         * @description Returns up to ten artists, best match first. Valuations and new artists accept the returned id. The search is free. 503: the platform is busy; retry after Retry-After.
         *
         *     Access: Every caller gets the public artists of the streaming platform.
         */
        get: operations["getResearchArtists"];
    };
    "/api/catalogs": {
        /**
         * List catalogs with their size and value
         * @description Returns the catalogs of the account and of its organizations, newest first. The valuation is computed from the latest stored play counts; no provider is called.
         *
         *     Access: Catalogs of the caller, or of an account that the caller may act for.
         */
        get: operations["getCatalogs"];
        /**
         * Create a catalog, empty or from a snapshot
         * @description With the id of a finished measurement job, creates the catalog from its measured songs and adds the artist with the most songs to the caller's roster. A snapshot can create only one catalog: a repeated call returns that catalog and adds nothing.
         *
         *     Access: The snapshot must be the caller's. The catalog belongs to the caller, or to an organization of the caller.
         */
        post: operations["postCatalogs"];
    };
    "/api/accounts/{id}/catalogs": {
        /**
         * List the catalogs of an account
         * @description Returns the catalogs of the account and of its organizations, newest first. The valuation is computed from the latest stored play counts; no provider is called.
         *
         *     Access: The caller, or an account that the caller may act for; with a bearer token, also the caller's organizations.
         */
        get: operations["getAccountsByIdCatalogs"];
    };
    "/api/catalogs/{catalogId}": {
        /**
         * Read a catalog with its size and value
         * @description The valuation is derived from the latest stored play counts; no provider is called.
         *
         *     Access: The caller or one of the caller's organizations must own the catalog.
         */
        get: operations["getCatalogsByCatalogId"];
        /**
         * Delete a catalog
         * @description Also deletes its list of songs, its owners and its valuation history. Measurements and snapshots are kept; a snapshot can be used to create a catalog again.
         *
         *     Access: The caller or one of the caller's organizations must own the catalog.
         */
        delete: operations["deleteCatalogsByCatalogId"];
        /**
         * Rename a catalog
         * @description Access: The caller or one of the caller's organizations must own the catalog.
         */
        patch: operations["patchCatalogsByCatalogId"];
    };
    "/api/catalogs/songs": {
        /**
         * List the songs of a catalog
         * @description Sorted by recording code, descending. artistName filters by the exact name of an artist, ignoring case. A catalog without songs gives 404.
         *
         *     Access: The caller or one of the caller's organizations must own the catalog.
         */
        get: operations["getCatalogsSongs"];
        /**
         * Add songs to catalogs by recording code
         * @description Looks up unknown songs on the streaming platform. The name, album and artists of an entry apply only to its catalog, and only where the platform has none; lyrics replace those of the platform. Adding a song again replaces the texts of the earlier request. If the caller may not change one of the catalogs, no song is added. Returns as many of the songs as fit into 4 MB.
         *
         *     Access: The caller or one of the caller's organizations must own the catalog.
         */
        post: operations["postCatalogsSongs"];
        /**
         * Remove songs from catalogs
         * @description Ignores songs that are not in the catalog. Returns the first 100 songs that remain in the named catalogs. The data of the removed songs is kept.
         *
         *     Access: The caller or one of the caller's organizations must own the catalog.
         */
        delete: operations["deleteCatalogsSongs"];
    };
    "/api/catalogs/{catalogId}/measurements": {
        /**
         * Read the latest play counts of a catalog and its valuation
         * @description Sorted by plays, most first. Sums, age and valuation cover all songs of the scope, not only those of the page. The first request of each day (UTC) without artist_account_id adds an entry to the valuation history.
         *
         *     Access: The caller or one of the caller's organizations must own the catalog.
         */
        get: operations["getCatalogsByCatalogIdMeasurements"];
    };
    "/api/catalogs/{catalogId}/valuations": {
        /**
         * List the valuations of a catalog, newest first
         * @description Contains an entry for each valuation, and one for the first read of measurements on each day (UTC).
         *
         *     Access: The caller or one of the caller's organizations must own the catalog.
         */
        get: operations["getCatalogsByCatalogIdValuations"];
    };
    "/api/valuation": {
        /**
         * Estimate the value of the catalog of an artist
         * @description Measures the play counts of all albums and singles, creates a catalog of the songs and returns a range in US dollars. The call can take minutes. 504: the measurement continues, and a repeated call joins it. A measurement of the same releases that is less than an hour old is reused at no cost. The work continues if the client disconnects.
         *
         *     Access: Charged to the caller, or to account_id if the caller may act for it. The catalog belongs to that account, or to an organization that both belong to.
         */
        post: operations["postValuation"];
    };
    "/api/research/measurement-jobs": {
        /**
         * List measurement jobs, newest first
         * @description Access: Jobs of the caller or of the account named by account_id that the caller may act for.
         */
        get: operations["getResearchMeasurementJobs"];
        /**
         * Measure the play counts of albums
         * @description Measures the albums with the given ids, the known albums of recording codes, or the albums of a catalog. Credits are held, and charged when the job is done; a failed job is not charged. A job for the same albums that is less than an hour old is returned again at no cost. Poll the job or its background run. POST /api/catalogs creates a catalog from a job that is done.
         *
         *     Access: Charged to the caller, or to account_id if the caller may act for it.
         */
        post: operations["postResearchMeasurementJobs"];
    };
    "/api/research/measurement-jobs/{id}": {
        /**
         * Read a measurement job
         * @description Access: Jobs of the caller or of an account that the caller may act for; any other job gives 404.
         */
        get: operations["getResearchMeasurementJobsById"];
    };
    "/api/artist/socials/scrape": {
        /**
         * Scrape the linked profiles of an artist
         * @description Reads and stores each profile on a supported platform, with its latest posts. Each profile costs 5 credits, plus 1 credit for each requested post (at least one), charged in advance; a profile that fails before anything is stored is refunded. Poll GET /api/scrapers/runs/{runId} or the background run.
         *
         *     Access: The artist must be on the caller's roster or be attached to one of the caller's organizations. The caller pays.
         */
        post: operations["postArtistSocialsScrape"];
    };
    "/api/socials/{id}/scrape": {
        /**
         * Scrape one profile
         * @description Costs and polling are the same as for POST /api/artist/socials/scrape. Send `posts` in the query or in the body; the body takes precedence.
         *
         *     Access: An artist that the profile is linked to must be accessible to the caller, who pays.
         */
        post: operations["postSocialsByIdScrape"];
    };
    "/api/scrapers/runs/{runId}": {
        /**
         * Read a scrape or one of its profile runs, with the stored data
         * @description Accepts the id of a batch, a profile run or a dataset. `data` is null until the run is COMPLETED; then it contains the profile (null for a batch) and a page of the posts that the run stored, newest first.
         *
         *     Access: Runs of the caller or of the account named by account_id that the caller may act for; any other run gives 404.
         */
        get: operations["getScrapersRunsByRunId"];
    };
    "/api/webhooks/scraper": {
        /**
         * Receive an event of the scraper
         * @description The event only wakes the workflow that waits for the run, which reads the state from the scraper. The request is not stored.
         *
         *     Access: Reads and changes no account data. The token belongs to one run.
         */
        post: operations["postWebhooksScraper"];
    };
    "/api/research/events": {
        /**
         * Find the live events of an artist
         * @description Uses the live-events profile that was linked to the artist earliest. The price is charged when the provider has responded, even with an empty list. A failure is not charged.
         *
         *     Access: The artist must be on the caller's roster or be attached to one of the caller's organizations.
         */
        post: operations["postResearchEvents"];
    };
    "/api/sessions": {
        /**
         * List sessions, newest first
         * @description Access: Sessions of the caller only.
         */
        get: operations["getSessions"];
        /**
         * Create a session with its first chat
         * @description Without a title, the session is named after a place whose name no other session of the account uses.
         *
         *     Access: The session belongs to the caller.
         */
        post: operations["postSessions"];
    };
    "/api/sessions/{sessionId}": {
        /**
         * Read a session
         * @description Access: The session must belong to the caller.
         */
        get: operations["getSessionsBySessionId"];
        /**
         * Delete a session with its chats
         * @description Stops live runs first and deletes the sandbox afterwards. The workspace repository is kept. An artist that no roster, organization or other session refers to is deleted with its last session.
         *
         *     Access: The session must belong to the caller.
         */
        delete: operations["deleteSessionsBySessionId"];
        /**
         * Rename, archive or restore a session
         * @description Archiving stops the live runs of the session first and its sandbox afterwards.
         *
         *     Access: The session must belong to the caller. A key with an expiry, such as the key of a run, gets 403 where the change gives lasting access.
         */
        patch: operations["patchSessionsBySessionId"];
    };
    "/api/sessions/{sessionId}/diff": {
        /**
         * Compute the diff of a session's working tree
         * @description Requires an active sandbox. `/diff/cached` returns the stored result.
         *
         *     Access: The session must belong to the caller.
         */
        get: operations["getSessionsBySessionIdDiff"];
    };
    "/api/sessions/{sessionId}/diff/cached": {
        /**
         * Read the last computed diff
         * @description Access: The session must belong to the caller.
         */
        get: operations["getSessionsBySessionIdDiffCached"];
    };
    "/api/sessions/{sessionId}/files": {
        /**
         * List the files of a session's repository
         * @description Returns the tree of the default branch in path order, up to 10,000 entries. Submodules have type `commit`.
         *
         *     Access: The session must belong to the caller, who must still have access to its repository.
         */
        get: operations["getSessionsBySessionIdFiles"];
    };
    "/api/sessions/{sessionId}/files/content": {
        /**
         * Read a file of a session's repository
         * @description Reads from the default branch, up to 5 MiB. Content that is not UTF-8 is returned as base64.
         *
         *     Access: The session must belong to the caller, who must still have access to its repository.
         */
        get: operations["getSessionsBySessionIdFilesContent"];
    };
    "/api/sessions/{sessionId}/files/history": {
        /**
         * List the commits of a session's repository, newest first
         * @description With `path`, returns only the commits that changed this file or folder.
         *
         *     Access: The session must belong to the caller, who must still have access to its repository.
         */
        get: operations["getSessionsBySessionIdFilesHistory"];
    };
    "/api/sessions/{sessionId}/chats": {
        /**
         * List the chats of a session, oldest first
         * @description Access: The session must belong to the caller.
         */
        get: operations["getSessionsBySessionIdChats"];
        /**
         * Create a chat
         * @description If the session already has a chat with this `id`, returns that chat.
         *
         *     Access: The session must belong to the caller.
         */
        post: operations["postSessionsBySessionIdChats"];
    };
    "/api/sessions/{sessionId}/chats/{chatId}": {
        /**
         * Read a chat and its messages
         * @description Pages start at the end of the chat and contain at most `limit` messages and 4 MB; `nextBefore` is set if there are earlier messages. `resumeIndex` is the index of the first frame of the live run that `messages` does not contain; a client resumes the stream from it.
         *
         *     Access: The session must belong to the caller and contain the chat.
         */
        get: operations["getSessionsBySessionIdChatsByChatId"];
        /**
         * Delete a chat with its messages
         * @description Stops a live run first. The only chat of a session cannot be deleted.
         *
         *     Access: The session must belong to the caller and contain the chat.
         */
        delete: operations["deleteSessionsBySessionIdChatsByChatId"];
        /**
         * Rename a chat or choose its model
         * @description A new model takes effect with the next run.
         *
         *     Access: The session must belong to the caller and contain the chat.
         */
        patch: operations["patchSessionsBySessionIdChatsByChatId"];
    };
    "/api/sessions/{sessionId}/chats/{chatId}/read": {
        /**
         * Mark a chat as read
         * @description Access: The session must belong to the caller and contain the chat.
         */
        post: operations["postSessionsBySessionIdChatsByChatIdRead"];
    };
    "/api/chats": {
        /**
         * List the chats of an account, most recently changed first
         * @description Omits chats without messages and chats of archived sessions.
         *
         *     Access: Chats of the caller, or of an account that the caller may act for.
         */
        get: operations["getChats"];
    };
    "/api/sessions/{sessionId}/chats/{chatId}/branches": {
        /**
         * List the branches of a chat
         * @description Returns the trunk and then the branches, oldest first, with the charges for the turns of each.
         *
         *     Access: The session must belong to the caller and contain the chat.
         */
        get: operations["getSessionsBySessionIdChatsByChatIdBranches"];
    };
    "/api/sessions/{sessionId}/chats/{chatId}/branches/{branchId}/select": {
        /**
         * Select a branch of a chat
         * @description Reading the chat returns the selected branch, and the next message is added to it. 409 while a run is live.
         *
         *     Access: The session must belong to the caller and contain the chat.
         */
        post: operations["postSessionsBySessionIdChatsByChatIdBranchesByBranchIdSelect"];
    };
    "/api/sessions/{sessionId}/chats/{chatId}/copy": {
        /**
         * Copy a chat into a new chat or session
         * @description Copies the messages of one branch up to `messageId`, with their ids. Files, usage and other branches are not copied.
         *
         *     Access: The session must belong to the caller and contain the chat; the copy belongs to the caller.
         */
        post: operations["postSessionsBySessionIdChatsByChatIdCopy"];
    };
    "/api/sessions/{sessionId}/chats/{chatId}/shares": {
        /**
         * List the links of a chat, oldest first
         * @description Access: The session must belong to the caller and contain the chat.
         */
        get: operations["getSessionsBySessionIdChatsByChatIdShares"];
        /**
         * Create a read-only link to a chat
         * @description Anyone with `url` can read the branch in its current state. Only this response contains the URL.
         *
         *     Access: The session must belong to the caller and contain the chat. A key with an expiry, such as the key of a run, gets 403.
         */
        post: operations["postSessionsBySessionIdChatsByChatIdShares"];
    };
    "/api/sessions/{sessionId}/chats/{chatId}/shares/{shareId}": {
        /**
         * Revoke a link
         * @description Access: The session must belong to the caller and contain the chat.
         */
        delete: operations["deleteSessionsBySessionIdChatsByChatIdSharesByShareId"];
    };
    "/share/{token}": {
        /**
         * Read a shared chat
         * @description Returns an HTML page without scripts or external content.
         *
         *     Access: Anyone with the URL, until it expires or is revoked.
         */
        get: operations["getShareByToken"];
    };
    "/api/sandbox": {
        /**
         * Start or resume a session's sandbox
         * @description Returns when the sandbox is ready. Parallel calls share one start. If the sandbox is already active, the call counts as activity.
         *
         *     Access: The session must belong to the caller.
         */
        post: operations["postSandbox"];
    };
    "/api/sandbox/status": {
        /**
         * Read the state of a session's sandbox
         * @description Access: The session must belong to the caller.
         */
        get: operations["getSandboxStatus"];
    };
    "/git/{owner}/{repository}/commit/{commit}": {
        /**
         * Show a commit as text
         * @description Returns the message, the changed files and the patch, truncated to 1024 KiB.
         *
         *     Access: The repository must be the caller's workspace or that of an organization of the caller; otherwise 404.
         */
        get: operations["getGitByOwnerByRepositoryCommitByCommit"];
    };
    "/git/{owner}/{repository}/info/refs": {
        /**
         * Advertise the refs of a repository to git
         * @description Access: The repository must be the caller's workspace or that of an organization of the caller; otherwise 404.
         */
        get: operations["getGitByOwnerByRepositoryInfoRefs"];
    };
    "/git/{owner}/{repository}/git-upload-pack": {
        /**
         * Serve a git clone or fetch
         * @description Access: The repository must be the caller's workspace or that of an organization of the caller; otherwise 404.
         */
        post: operations["postGitByOwnerByRepositoryGitUploadPack"];
    };
    "/git/{owner}/{repository}/git-receive-pack": {
        /**
         * Receive a git push
         * @description Access: The repository must be the caller's workspace or that of an organization of the caller; otherwise 404.
         */
        post: operations["postGitByOwnerByRepositoryGitReceivePack"];
    };
    "/api/sandbox/reconnect": {
        /**
         * Check whether a sandbox is still running
         * @description Runs one command in the sandbox. The call does not count as activity and starts no sandbox.
         *
         *     Access: The session must belong to the caller.
         */
        get: operations["getSandboxReconnect"];
    };
    "/api/sandbox/activity": {
        /**
         * Keep a sandbox from hibernating
         * @description Counts as activity and restarts the idle time. Requires an active sandbox.
         *
         *     Access: The session must belong to the caller.
         */
        post: operations["postSandboxActivity"];
    };
    "/api/sandbox/extend": {
        /**
         * Extend the lifetime of a sandbox
         * @description Postpones the end of an active sandbox, up to its maximum lifetime.
         *
         *     Access: The session must belong to the caller.
         */
        post: operations["postSandboxExtend"];
    };
    "/api/chat": {
        /**
         * Send a message and stream the response
         * @description The turn runs as a durable workflow. A lost connection does not stop it: resume with GET /api/chat/{chatId}/stream. With `trigger` set to `regenerate-message`, or with `editOf`, the turn creates a branch of the chat and answers on it.
         *
         *     Access: Session and chat must belong to the caller. A key with an expiry, such as the key of a run, gets 403 where the change gives lasting access.
         */
        post: operations["postChat"];
    };
    "/api/chat/{chatId}/stream": {
        /**
         * Resume the stream of a run
         * @description Replays the frames from `Last-Event-ID` + 1, else from `startIndex`, else from 0, and then streams new ones. Without `runId` it streams the live run of the chat, and the response is 204 if there is none. With `runId` it streams that run of the chat, even if it has ended.
         *
         *     Access: The chat must belong to the caller, or to the account named by account_id that the caller may act for.
         */
        get: operations["getChatByChatIdStream"];
    };
    "/api/chat/{chatId}/stop": {
        /**
         * Stop the live run
         * @description Returns once the run has ended, and holds the queue of the chat. The call is safe to repeat. 502: the workflow engine is unavailable; the stop is recorded and takes effect when the engine is back. 504: the run has not yet ended; the stop remains in force.
         *
         *     Access: The chat must belong to the caller, or to the account named by account_id that the caller may act for.
         */
        post: operations["postChatByChatIdStop"];
    };
    "/api/chat/runs": {
        /**
         * Start a headless run
         * @description Creates a session and a sandbox for the run and returns immediately: poll the run by its id, or stream the chat. With `chatId` the run works in that chat, where a prompt is appended to the stored messages; `onBusy` defines what happens if the chat is busy.
         *
         *     Access: Session and run belong to the caller, or to the account named by accountId that the caller may act for. The key of a run can start runs only for its own account, within its own approvals and limits.
         */
        post: operations["postChatRuns"];
    };
    "/api/chat/runs/{runId}": {
        /**
         * Read the status of a run
         * @description Access: The run must belong to the caller or to an account that the caller may act for; otherwise 404.
         */
        get: operations["getChatRunsByRunId"];
    };
    "/api/chat/{chatId}/queue": {
        /**
         * List the queued messages of a chat
         * @description Returns the messages in queue order, up to 4 MB per page; send `nextAfter` as `after` to read the next page. If the message in `after` is no longer queued, the page starts at the front of the queue.
         *
         *     Access: The chat must belong to the caller, or to the account named by account_id that the caller may act for.
         */
        get: operations["getChatByChatIdQueue"];
        /**
         * Empty the queue of a chat
         * @description Access: The chat must belong to the caller, or to the account named by account_id that the caller may act for.
         */
        delete: operations["deleteChatByChatIdQueue"];
    };
    "/api/chat/{chatId}/queue/{queueId}": {
        /**
         * Read a queued message
         * @description Also returns a message that has left the queue. `runId` is the run that it started or joined; GET /api/chat/{chatId}/stream?runId= streams it.
         *
         *     Access: The chat must belong to the caller, or to the account named by account_id that the caller may act for.
         */
        get: operations["getChatByChatIdQueueByQueueId"];
        /**
         * Remove a message from the queue
         * @description 409: the message is no longer queued.
         *
         *     Access: The chat must belong to the caller, or to the account named by account_id that the caller may act for.
         */
        delete: operations["deleteChatByChatIdQueueByQueueId"];
        /**
         * Change the text or the position of a queued message
         * @description New text replaces the text parts and keeps the file parts. 409: the message is no longer queued.
         *
         *     Access: The chat must belong to the caller, or to the account named by account_id that the caller may act for.
         */
        patch: operations["patchChatByChatIdQueueByQueueId"];
    };
    "/api/chat/{chatId}/queue/hold": {
        /**
         * Hold the queue of a chat
         * @description The running turn continues. No queued message is accepted until the queue is resumed or emptied.
         *
         *     Access: The chat must belong to the caller, or to the account named by account_id that the caller may act for.
         */
        post: operations["postChatByChatIdQueueHold"];
    };
    "/api/chat/{chatId}/queue/resume": {
        /**
         * Resume the queue of a chat
         * @description Ends the hold and, if the chat is free, accepts the next message. Returns the resulting queue, which is held again if the account has too few credits or the sandbox is not initialized.
         *
         *     Access: The chat must belong to the caller, or to the account named by account_id that the caller may act for.
         */
        post: operations["postChatByChatIdQueueResume"];
    };
    "/api/chat/{chatId}/compact": {
        /**
         * Summarize the earlier turns of a chat
         * @description The model of the chat summarizes all messages before the last user message. Later turns send the summary to the model instead of these messages, which stay in the chat. A repeated call returns the same summary until the next user message.
         *
         *     Access: The chat must belong to the caller, or to the account named by account_id that the caller may act for.
         */
        post: operations["postChatByChatIdCompact"];
    };
    "/api/chat/{chatId}/summaries": {
        /**
         * List the summaries of a chat, newest first
         * @description Returns at most 50. A turn uses the newest summary whose messages are a prefix of its history.
         *
         *     Access: The chat must belong to the caller, or to the account named by account_id that the caller may act for.
         */
        get: operations["getChatByChatIdSummaries"];
    };
    "/api/ai/models": {
        /**
         * List the models of this deployment
         * @description Returns each model with its context window, its current prices and their source, and the result of its last call. If `anyModel` is true, other model ids are also accepted.
         *
         *     Access: The deployment has one list for all accounts. Its call statistics name no account.
         */
        get: operations["getAiModels"];
    };
    "/api/sandboxes": {
        /**
         * Read the personal sandbox
         * @description Returns the sandboxes of the account, its snapshot, its source repository and the tree of `main`.
         *
         *     Access: Rows of the caller, or of the account named by account_id that the caller may act for.
         */
        get: operations["getSandboxes"];
        /**
         * Delete the personal sandbox
         * @description Ends a live setup and deletes the sandboxes, the source repository, the snapshot and its record. The call is safe to repeat.
         *
         *     Access: Rows of the caller, or of the account named by account_id that the caller may act for.
         */
        delete: operations["deleteSandboxes"];
    };
    "/api/sandboxes/setup": {
        /**
         * Set up the personal sandbox
         * @description Creates the source repository, a sandbox that contains it, and a snapshot. Returns immediately: poll GET /api/tasks/runs. An account has at most one live setup; another call returns it.
         *
         *     Access: Rows of the caller, or of the account named by account_id that the caller may act for.
         */
        post: operations["postSandboxesSetup"];
    };
    "/api/sandboxes/staged-file": {
        /**
         * Stage a file
         * @description Endpoint for the client library of the blob store. Accepts a request for an upload token, or the store's signed notice that an upload is complete.
         *
         *     Access: The token is bound to a path of the caller; the confirmation of the store is verified by its signature.
         */
        post: operations["postSandboxesStagedFile"];
    };
    "/api/sandboxes/files": {
        /**
         * Commit staged files
         * @description Creates one commit per file on `main` of the source repository, or of the submodule that contains the path. All staged files are deleted afterwards, even those that could not be committed.
         *
         *     Access: Rows of the caller, or of the account named by account_id that the caller may act for.
         */
        post: operations["postSandboxesFiles"];
    };
    "/api/sandboxes/file": {
        /**
         * Read a file of the source repository
         * @description Reads from `main` and resolves paths inside submodules. Binary content is returned as base64, up to 5 MiB.
         *
         *     Access: Rows of the caller, or of the account named by account_id that the caller may act for.
         */
        get: operations["getSandboxesFile"];
    };
    "/api/tasks": {
        /**
         * List scheduled tasks, newest first
         * @description An `id` that is not a task of the account gives an empty list.
         *
         *     Access: Tasks of the caller or of an account that the caller may act for. An admin who sends only an id finds the task of any owner.
         */
        get: operations["getTasks"];
        /**
         * Create a scheduled task
         * @description Returns once the schedule is active. If the schedule cannot be created, the task is not stored.
         *
         *     Access: The task belongs to the caller or to the account that it may act for; that account must have access to the artist. The key of a run can create tasks only for its own account, with its own approvals.
         */
        post: operations["postTasks"];
        /**
         * Delete a scheduled task
         * @description Past runs remain readable, and a run in progress continues.
         *
         *     Access: Tasks of the caller or of an account that the caller may act for.
         */
        delete: operations["deleteTasks"];
        /**
         * Change a scheduled task
         * @description Fields that are not sent remain unchanged. Returns when Temporal has applied the schedule; if that fails, the task is not changed.
         *
         *     Access: Tasks of the caller or of an account that the caller may act for. account_id is the account to act for; it does not change the owner. A key with an expiry, such as the key of a run, gets 403 where the change gives lasting access.
         */
        patch: operations["patchTasks"];
    };
    "/api/tasks/{id}": {
        /**
         * Read a scheduled task
         * @description Access: A task of the caller or of an account that the caller may act for.
         */
        get: operations["getTasksById"];
    };
    "/api/tasks/runs": {
        /**
         * Read background runs
         * @description With runId, returns this run with its payload and result; otherwise the runs of the account, newest first.
         *
         *     Access: Runs of the caller or of an account that the caller may act for; any other run gives 404.
         */
        get: operations["getTasksRuns"];
        /**
         * Run a task now
         * @description Starts a run even if the task is disabled. The plan's minimum interval does not apply. Returns immediately: poll GET with the run id.
         *
         *     Access: Tasks of the caller or of an account that the caller may act for.
         */
        post: operations["postTasksRuns"];
        /**
         * Cancel a background run
         * @description Returns when the run and the chat run that it waits for have ended.
         *
         *     Access: Runs of the caller or of an account that the caller may act for; any other run gives 404.
         */
        delete: operations["deleteTasksRuns"];
    };
    "/api/runs": {
        /**
         * List turns and jobs, newest first
         * @description Returns the turns and jobs of an account in one list. `kind` and `status` accept several values, separated by commas. Turns that a job waits for are omitted unless `children` is true. With `waiting`, only the turns that wait for the user are returned: each ended with a question or an approval that is still open.
         *
         *     Access: Runs of the caller, or of the account named by account_id that the caller may act for.
         */
        get: operations["getRuns"];
    };
    "/api/runs/counts": {
        /**
         * Count runs by status
         * @description Counts the runs that `GET /api/runs` lists with the same filters, among the newest 1000 turns and the newest 1000 jobs. `isPartial` is true if older ones exist.
         *
         *     Access: Runs of the caller, or of the account named by account_id that the caller may act for.
         */
        get: operations["getRunsCounts"];
    };
    "/api/runs/{runId}/timeline": {
        /**
         * Read the timeline of a run
         * @description Returns the steps, attempts, tool calls, waits and errors of a live or ended turn or job. Reads only the database.
         *
         *     Access: Runs of the caller or of an account that the caller may act for; any other run gives 404.
         */
        get: operations["getRunsByRunIdTimeline"];
    };
    "/api/runs/{runId}/entries/{entryId}": {
        /**
         * Read the input or output of a step or a call of a turn
         * @description Returns a part of a text, by `offset` and `limit` in characters; `nextOffset` is set if more text follows. For a step (`step:0`), `input` is the text that the step added to the prompt (the message of the user, or the results of the previous calls), `output` is the text of the model, and `reasoning` is its reasoning. For a call (`tool:<id>`), `input` and `output` are JSON, or the message of a failed call. `text` is null if the entry has no such text.
         *
         *     Access: Runs of the caller or of an account that the caller may act for; any other run gives 404.
         */
        get: operations["getRunsByRunIdEntriesByEntryId"];
    };
    "/api/credits/sessions": {
        /**
         * Buy credits
         * @description Charges the card on file and returns `paymentIntentId`, or returns the `url` of a hosted checkout. The credits are added to the balance when the payment provider has confirmed the payment. Without an Idempotency-Key, an identical card charge within a minute is not executed, and the response of the first charge is returned.
         *
         *     Access: The caller, or the account named by accountId that the caller may act for. A key with an expiry, such as the key of a run, gets 403.
         */
        post: operations["postCreditsSessions"];
    };
    "/api/webhooks/payments": {
        /**
         * Receive an event of the payment provider
         * @description The provider signs the bytes of the body. The embedded provider sends `x-payment-signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of '<t>.<body>'>`; an external provider uses its own header. A repeated event has no effect.
         *
         *     Access: Returns no account data. Changes only the objects of the signed event.
         */
        post: operations["postWebhooksPayments"];
    };
    "/api/accounts/{id}/payment-method": {
        /**
         * Read the card on file
         * @description Access: The account in the path, which must be the caller or an account that the caller may act for.
         */
        get: operations["getAccountsByIdPaymentMethod"];
        /**
         * Create a hosted page that saves a card
         * @description Access: The account in the path, which must be the caller or an account that the caller may act for. A key with an expiry, such as the key of a run, gets 403.
         */
        post: operations["postAccountsByIdPaymentMethod"];
        /**
         * Remove all saved cards
         * @description Also disables automatic top-up. The call is safe to repeat.
         *
         *     Access: The account in the path, which must be the caller or an account that the caller may act for. A key with an expiry, such as the key of a run, gets 403.
         */
        delete: operations["deleteAccountsByIdPaymentMethod"];
    };
    "/api/subscriptions/card-on-file": {
        /**
         * Create a hosted page that saves a card, for the account in the body
         * @description Access: The caller, or the account named by accountId that the caller may act for. A key with an expiry, such as the key of a run, gets 403.
         */
        post: operations["postSubscriptionsCardOnFile"];
    };
    "/api/accounts/{id}/payments": {
        /**
         * List the purchases of credits, newest first
         * @description Access: The account in the path, which must be the caller or an account that the caller may act for.
         */
        get: operations["getAccountsByIdPayments"];
    };
    "/api/accounts/{id}/auto-top-up": {
        /**
         * Read the settings of automatic top-up
         * @description Access: The account in the path, which must be the caller or an account that the caller may act for.
         */
        get: operations["getAccountsByIdAutoTopUp"];
        /**
         * Configure automatic top-up
         * @description Charges `amountCents`, without a fee, to the card on file when the balance falls below `thresholdCents`, at most once in ten minutes. A declined card disables automatic top-up and emails the owner.
         *
         *     Access: The account in the path, which must be the caller or an account that the caller may act for. A key with an expiry, such as the key of a run, gets 403.
         */
        put: operations["putAccountsByIdAutoTopUp"];
    };
    "/api/subscriptions/portal": {
        /**
         * Create a portal page for the subscription of the account in the body
         * @description Access: The caller, or the account named by accountId that the caller may act for. A key with an expiry, such as the key of a run, gets 403.
         */
        post: operations["postSubscriptionsPortal"];
    };
    "/api/accounts/{id}/portal": {
        /**
         * Create a portal page for an account's subscription
         * @description Access: The account in the path, which must be the caller or an account that the caller may act for. A key with an expiry, such as the key of a run, gets 403.
         */
        post: operations["postAccountsByIdPortal"];
    };
    "/api/subscriptions/sessions": {
        /**
         * Create a checkout for a subscription
         * @description Returns the URL of a hosted checkout. Without credentials, the purchase belongs to the account with the email address of the payer; POST /api/subscriptions/claim assigns it to another account. A plan has one trial for each account, buyer, email address of the payer and card. A second trial grants no credits until its subscription is paid. `session_id` is added to the query of the success URL.
         *
         *     Access: The caller, or the account named by accountId that the caller may act for. A key with an expiry, such as the key of a run, gets 403.
         */
        post: operations["postSubscriptionsSessions"];
    };
    "/api/subscriptions/claim": {
        /**
         * Claim a subscription that was bought without signing in
         * @description Required if the email address of the checkout is not that of the account. The call is safe to repeat. A purchase by a signed-in person cannot be claimed by another account.
         *
         *     Access: The caller becomes the owner of a purchase whose session id it knows and that no other account has claimed. A key with an expiry, such as the key of a run, gets 403.
         */
        post: operations["postSubscriptionsClaim"];
    };
    "/api/accounts/{id}/subscription": {
        /**
         * Read the subscription of an account
         * @description `source` states whether the subscription belongs to the account or to one of its organizations. `isPro` considers both, and email domains on the pro plan.
         *
         *     Access: The account in the path, which must be the caller or an account that the caller may act for.
         */
        get: operations["getAccountsByIdSubscription"];
    };
    "/api/accounts/{id}/credits": {
        /**
         * Read the credits of an account
         * @description remaining_credits includes a refill that is due. Reading does not perform the refill.
         *
         *     Access: The caller, or an account that the caller may act for; 403 for any other account, known or unknown.
         */
        get: operations["getAccountsByIdCredits"];
    };
    "/api/accounts/{id}/ledger": {
        /**
         * List the ledger entries of an account
         * @description Returns every ledger entry, newest first, with its unique reference and the balance after it. `source`, `model_id` and `run_id` belong to the work that was charged; otherwise they are null.
         *
         *     Access: The caller, or an account that the caller may act for; 403 for any other account, known or unknown.
         */
        get: operations["getAccountsByIdLedger"];
    };
    "/api/accounts/{id}/usage": {
        /**
         * List the credit usage of an account
         * @description Returns the charges and refunds of a period, by default the current month, sorted by newest or by highest cost. Only the first page contains the series.
         *
         *     Access: The caller, or an account that the caller may act for; 403 for any other account, known or unknown.
         */
        get: operations["getAccountsByIdUsage"];
    };
    "/api/accounts/{id}/media": {
        /**
         * Read the media storage of an account
         * @description Counts the bytes of tracks, videos and their files. Deleting a track or a video frees its bytes.
         *
         *     Access: The caller, or an account that the caller may act for; 403 for any other account, known or unknown.
         */
        get: operations["getAccountsByIdMedia"];
    };
    "/blob/": {
        /**
         * Upload a staged file
         * @description Send the upload token of POST /api/sandboxes/staged-file as Authorization. A token uploads one file: repeating the same bytes returns the same response, and other bytes are rejected.
         *
         *     Access: The upload token allows writing to one path, which belongs to one account.
         */
        put: operations["putBlob"];
    };
    "/blob/mpu": {
        /**
         * Upload a staged file in parts
         * @description The header x-mpu-action determines whether the request begins the upload, contains a part or completes it. A token uploads one file, of at most 100 MiB in all parts together.
         *
         *     Access: The upload token allows writing to one path, which belongs to one account.
         */
        post: operations["postBlobMpu"];
    };
    "/media/{folder}/{name}": {
        /**
         * Read a finished file
         * @description Returns a rendered track, clip or image by its URL. Supports a single byte range, so that a player can seek.
         *
         *     Access: Anyone with the URL, which cannot be guessed.
         */
        get: operations["getMediaByFolderByName"];
    };
    "/api/music": {
        /**
         * List music generations, newest first
         * @description Access: Generations of the caller and of its organizations; with account_id those of that account, which the caller may act for.
         */
        get: operations["getMusic"];
        /**
         * Create a track
         * @description Generates a track from a description and lyrics. The price of the requested seconds is held. When the track is stored, its actual length is charged, up to the held amount; a failed generation is not charged. Poll the generation or its background run `render-music`, whose metadata contains the progress. A generation cannot be cancelled.
         *
         *     Access: Owned by and charged to the caller, or account_id if the caller may act for it.
         */
        post: operations["postMusic"];
    };
    "/api/music/{generationId}": {
        /**
         * Read a music generation, with the log of its render
         * @description Access: Generations of the caller, of its organizations, or of an account that the caller may act for.
         */
        get: operations["getMusicByGenerationId"];
        /**
         * Delete a track
         * @description Deletes the track and its file, which frees its storage. The charge is not refunded. 409: the track is being created.
         *
         *     Access: Generations of the caller, or of an account that the caller may act for. A key with an expiry, such as the key of a run, gets 403.
         */
        delete: operations["deleteMusicByGenerationId"];
    };
    "/api/webhooks/renders": {
        /**
         * Receive an event of the renderer
         * @description The event only wakes the workflow that waits for the render, which reads the state from the renderer. The request is not stored.
         *
         *     Access: Reads and changes no account data. The renderer signs its requests.
         */
        post: operations["postWebhooksRenders"];
    };
    "/api/content/templates": {
        /**
         * List the templates for videos
         * @description The first template is the default.
         *
         *     Access: Every authenticated caller sees the same list.
         */
        get: operations["getContentTemplates"];
    };
    "/api/content/create": {
        /**
         * Create short videos for an artist
         * @description Each run of the batch takes an image and a song from the request or from the artist's folder in the source repository (the name of the artist in lower case, with hyphens for spaces), finds the most energetic part of the song, and renders a vertical video. All runs are stored in one transaction; a limited number is rendered at a time. Poll `GET /api/tasks/runs` for each `create-content` run: its metadata contains the progress, and its output contains the URLs. `DELETE /api/tasks/runs` cancels a run.
         *
         *     Access: Owned by and charged to the caller, or account_id if the caller may act for it. That account must have access to the artist.
         */
        post: operations["postContentCreate"];
    };
    "/api/content/videos": {
        /**
         * List videos, newest first
         * @description Returns finished, pending and failed videos, each with the settings of its request.
         *
         *     Access: Videos of the caller, or of the account named by account_id that the caller may act for.
         */
        get: operations["getContentVideos"];
    };
    "/api/content/videos/{runId}": {
        /**
         * Read a video
         * @description Access: Videos of the caller or of an account that the caller may act for; any other video gives 404.
         */
        get: operations["getContentVideosByRunId"];
        /**
         * Delete a video
         * @description Deletes the video and its files, which frees their storage. 409: the video is still being created; cancel its background run first.
         *
         *     Access: Videos of the caller or of an account that the caller may act for; any other video gives 404. A key with an expiry, such as the key of a run, gets 403.
         */
        delete: operations["deleteContentVideosByRunId"];
    };
    "/api/content-agent/callback": {
        /**
         * Report the finished videos of a thread
         * @description Only for the run that waits for the videos, which authenticates with `x-callback-secret`. Posts the result to the thread, each video once. Skips a thread that is not running.
         *
         *     Access: The thread of the body; only the results of runs that were started in it are posted.
         */
        post: operations["postContentAgentCallback"];
    };
    "/api/content-agent/{platform}": {
        /**
         * Receive an event of the team chat
         * @description Accepts a challenge, which is returned, or a mention of the agent: `<artist id> [template] [batch=N] [lipsync]`. A mention is stored with its job and answered in its thread. If the deployment has a signing secret, the request must be signed with `x-teamchat-signature` over `x-teamchat-request-timestamp` and the body. The only platform is `teamchat`.
         *
         *     Access: The account that the settings assign to the workspace. The platform signs its requests.
         */
        post: operations["postContentAgentByPlatform"];
    };
    "/api/agents/templates": {
        /**
         * List templates, sorted by title
         * @description Access: The caller's own, public ones, and private ones that are shared with an email address of the caller.
         */
        get: operations["getAgentsTemplates"];
        /**
         * Create a template
         * @description Access: The template belongs to the caller. A key with an expiry, such as the key of a run, gets 403.
         */
        post: operations["postAgentsTemplates"];
    };
    "/api/agents/templates/{id}": {
        /**
         * Read a template
         * @description Access: The caller's own, a public one, or a private one that is shared with an email address of the caller.
         */
        get: operations["getAgentsTemplatesById"];
        /**
         * Delete a template
         * @description Access: The caller's own template.
         */
        delete: operations["deleteAgentsTemplatesById"];
        /**
         * Change a template
         * @description A list of email addresses replaces the previous one, and has no effect while the template is public. An empty body changes nothing.
         *
         *     Access: The caller's own template. A key with an expiry, such as the key of a run, gets 403.
         */
        patch: operations["patchAgentsTemplatesById"];
    };
    "/api/agents/templates/{id}/favorite": {
        /**
         * Add a template to the favorites, or remove it from them
         * @description Access: A template that is visible to the caller. The favorite belongs to the caller.
         */
        put: operations["putAgentsTemplatesByIdFavorite"];
    };
    "/api/projects": {
        /**
         * List projects, newest first
         * @description Access: Projects that the caller collaborates on.
         */
        get: operations["getProjects"];
        /**
         * Create a project
         * @description The caller becomes the first collaborator.
         *
         *     Access: The project belongs to the caller.
         */
        post: operations["postProjects"];
    };
    "/api/projects/{projectId}": {
        /**
         * Read a project with its tasks and collaborators
         * @description Returns the first 500 tasks and the first 1000 collaborators. Their own routes return all of them, page by page.
         *
         *     Access: Collaborators of the project. No other account can act for them.
         */
        get: operations["getProjectsByProjectId"];
    };
    "/api/projects/{projectId}/collaborators": {
        /**
         * List the collaborators of a project, in the order of joining
         * @description Access: Collaborators of the project. No other account can act for them.
         */
        get: operations["getProjectsByProjectIdCollaborators"];
        /**
         * Add a collaborator to a project
         * @description Takes effect immediately; the collaborator receives one email. An unknown address gets an account. The number of emails per sending account and per recipient address is limited each day (429).
         *
         *     Access: Collaborators of the project. No other account can act for them. A key with an expiry, such as the key of a run, gets 403.
         */
        post: operations["postProjectsByProjectIdCollaborators"];
    };
    "/api/projects/{projectId}/tasks": {
        /**
         * List the tasks of a project, oldest first
         * @description Access: Collaborators of the project. No other account can act for them.
         */
        get: operations["getProjectsByProjectIdTasks"];
        /**
         * Add a task to a project
         * @description Access: Collaborators of the project. No other account can act for them.
         */
        post: operations["postProjectsByProjectIdTasks"];
    };
    "/api/projects/{projectId}/tasks/{taskId}": {
        /**
         * Read a task of a project with its comments
         * @description Returns its first 1000 comments, oldest first, and the first 1000 collaborators of the project.
         *
         *     Access: Collaborators of the project. No other account can act for them.
         */
        get: operations["getProjectsByProjectIdTasksByTaskId"];
        /**
         * Delete a task of a project with its comments
         * @description Access: Collaborators of the project. No other account can act for them.
         */
        delete: operations["deleteProjectsByProjectIdTasksByTaskId"];
        /**
         * Change or complete a task of a project
         * @description Completing a task records the caller, unless the task was completed before.
         *
         *     Access: Collaborators of the project. No other account can act for them.
         */
        patch: operations["patchProjectsByProjectIdTasksByTaskId"];
    };
    "/api/projects/{projectId}/tasks/{taskId}/comments": {
        /**
         * List the comments on a task, oldest first
         * @description Access: Collaborators of the project. No other account can act for them.
         */
        get: operations["getProjectsByProjectIdTasksByTaskIdComments"];
        /**
         * Comment on a task
         * @description A comment is plain text and cannot be changed.
         *
         *     Access: Collaborators of the project. No other account can act for them.
         */
        post: operations["postProjectsByProjectIdTasksByTaskIdComments"];
    };
    "/api/connectors": {
        /**
         * List the connectors and their connections
         * @description Access: Connections of exactly one subject and workspace: the caller; the account named by account_id that the caller may act for; or an artist that the caller has access to, in the workspace that gives this access.
         */
        get: operations["getConnectors"];
        /**
         * Begin a connection to a service
         * @description Open `redirectUrl` once, within ten minutes, in the browser of the person who owns the account at the service. The service redirects the browser to a page of this deployment, where the account of this request confirms the connection while signed in. The connection is then stored, and the browser goes to `callback_url`.
         *
         *     Access: Connections of exactly one subject and workspace: the caller; the account named by account_id that the caller may act for; or an artist that the caller has access to, in the workspace that gives this access. A key with an expiry, such as the key of a run, gets 403.
         */
        post: operations["postConnectors"];
        /**
         * Disconnect a service
         * @description Revokes the grant at the service and deletes the stored credentials. If another connection uses the same account at the service, deletes only the credentials, so that the other connection keeps working. 403 if the connection no longer exists.
         *
         *     Access: Connections of exactly one subject and workspace: the caller; the account named by account_id that the caller may act for; or an artist that the caller has access to, in the workspace that gives this access. A key with an expiry, such as the key of a run, gets 403.
         */
        delete: operations["deleteConnectors"];
    };
    "/api/connectors/callback": {
        /**
         * Receive the browser after consent at a service
         * @description For browsers only: the service redirects the browser to this route. It stores no connection; it redirects the browser to the page where the account that began the connection confirms it.
         *
         *     Access: The state in the URL belongs to a single authorization and can be used once.
         */
        get: operations["getConnectorsCallback"];
    };
    "/api/connectors/confirmations": {
        /**
         * Confirm or refuse a connection
         * @description Stores the connection. A refused connection, like one that is not confirmed in time, is revoked within an hour. A connection can be confirmed or refused only once. `target` is the `callback_url` of the request; `trusted` is true if the deployment allows pages to redirect there automatically.
         *
         *     Access: Only the account that began the connection, with the code from the browser in which access was granted. A key with an expiry, such as the key of a run, gets 403.
         */
        put: operations["putConnectorsConfirmations"];
        /**
         * Read a pending confirmation
         * @description Returns the account at the service and the account in this deployment, for the page to which the service redirects the browser. Changes nothing. A code is valid for 15 minutes.
         *
         *     Access: Only the account that began the connection, with the code from the browser in which access was granted. A key with an expiry, such as the key of a run, gets 403.
         */
        post: operations["postConnectorsConfirmations"];
    };
    "/api/connectors/actions": {
        /**
         * List the actions of the connectors, connected or not
         * @description Sorted by connector and action. The list is cached for an hour and refreshed in the background. While the broker of a connector is unavailable, its cached actions are returned; if there are none, `missingConnectors` contains it.
         *
         *     Access: Connections of exactly one subject and workspace: the caller; the account named by account_id that the caller may act for; or an artist that the caller has access to, in the workspace that gives this access.
         */
        get: operations["getConnectorsActions"];
        /**
         * Execute an action of a connected service
         * @description Returns the unchanged response of the service, up to 5 MB, within a minute. If the outcome is unknown, the response is a 502 that states this, and the action is not retried. With an `Idempotency-Key` a repeated call is safe: it returns the stored response, or calls the service again only if the service supports the key.
         *
         *     Access: Connections of exactly one subject and workspace: the caller; the account named by account_id that the caller may act for; or an artist that the caller has access to, in the workspace that gives this access. A key with an expiry, such as the key of a run, gets 403.
         */
        post: operations["postConnectorsActions"];
    };
    "/api/connectors/files": {
        /**
         * Store an image for an action
         * @description Fetches a PNG, JPEG, GIF or WebP of at most 25 MB from a public HTTPS URL. For 24 hours, the response (without `success`) can be passed as a `file_uploadable` parameter of an action of the same connector.
         *
         *     Access: Connections of exactly one subject and workspace: the caller; the account named by account_id that the caller may act for; or an artist that the caller has access to, in the workspace that gives this access. A key with an expiry, such as the key of a run, gets 403.
         */
        post: operations["postConnectorsFiles"];
    };
    "/api/emails": {
        /**
         * Send an email
         * @description Without a payment method on file, an account can send email only to its own addresses; with one, to a limited number of other addresses per day (429). `html` takes precedence over `text`, which is Markdown. Scripts, forms, frames and links with unsupported schemes are removed from both.
         *
         *     Access: Sends for the caller, or for an account that the caller may act for.
         */
        post: operations["postEmails"];
    };
    "/api/webhooks/mail": {
        /**
         * Receive an event of the mail provider
         * @description The provider signs the bytes of the body. A reply to an email of a chat becomes the next message of the chat if it comes from an address of the account. All other events are ignored.
         *
         *     Access: Returns no account data. Stores an email as a reply in the chat that its signed address names.
         */
        post: operations["postWebhooksMail"];
    };
    "/inbox/{token}": {
        /**
         * List the emails, newest first
         * @description The mailboxes of the embedded email provider. Development only. HTML, or JSON for `Accept: application/json`. The token is in the URL that `npm start` prints.
         *
         *     Access: Anyone with the token of the deployment can read every email.
         */
        get: operations["getInboxByToken"];
    };
    "/inbox/{token}/{id}": {
        /**
         * Show an email
         * @description The mailboxes of the embedded email provider. Development only. HTML, or JSON for `Accept: application/json`. The token is in the URL that `npm start` prints.
         *
         *     Access: Anyone with the token of the deployment can read every email.
         */
        get: operations["getInboxByTokenById"];
    };
    "/inbox/{token}/{id}/reply": {
        /**
         * Reply to an email of a chat
         * @description Sends a reply as if the recipient had replied, from a form with `from`, `text` and `headers`, one per line. The chat shows the result. A form whose `key` was sent before has no effect.
         *
         *     Access: Anyone with the token of the deployment can reply from any email address.
         */
        post: operations["postInboxByTokenByIdReply"];
    };
    "/inbox/{token}/{id}/html": {
        /**
         * Show the HTML part of an email, for a frame
         * @description The mailboxes of the embedded email provider. Development only. HTML, or JSON for `Accept: application/json`. The token is in the URL that `npm start` prints.
         *
         *     Access: Anyone with the token of the deployment can read every email.
         */
        get: operations["getInboxByTokenByIdHtml"];
    };
    "/team-chat/{token}": {
        /**
         * List the threads, newest first, with a form for a mention
         * @description The embedded team chat, where people mention the content agent. Development only. The token is in the URL that `npm start` prints.
         *
         *     Access: Anyone with the token of the deployment can read and write every thread.
         */
        get: operations["getTeamChatByToken"];
        /**
         * Mention the agent
         * @description The embedded team chat, where people mention the content agent. Development only. The token is in the URL that `npm start` prints.
         *
         *     Access: Anyone with the token of the deployment can read and write every thread.
         */
        post: operations["postTeamChatByToken"];
    };
    "/team-chat/{token}/{threadId}": {
        /**
         * Show a thread
         * @description The embedded team chat, where people mention the content agent. Development only. The token is in the URL that `npm start` prints.
         *
         *     Access: Anyone with the token of the deployment can read and write every thread.
         */
        get: operations["getTeamChatByTokenByThreadId"];
    };
    "/api/console/settings": {
        /**
         * Read the settings that the console needs before sign-in
         * @description Access: Returns no account data and no secrets.
         */
        get: operations["getConsoleSettings"];
    };
    "/api/console/me": {
        /**
         * Read the caller and the expiry of its credential
         * @description Access: Returns only the caller's own account.
         */
        get: operations["getConsoleMe"];
    };
    "/api/console/accounts": {
        /**
         * List the accounts that the caller may act for
         * @description Returns the values of `account_id` other than the id of the caller: people who share an organization with the caller and, for a key, the organizations themselves. A member of the admin organization may also use any other account.
         *
         *     Access: Members of the organizations of the caller, with the names that they use there.
         */
        get: operations["getConsoleAccounts"];
    };
    "/api/console/key": {
        /**
         * Exchange a credential for a key that expires
         * @description For pages that keep a credential in memory. The key gets 403 from routes that give lasting access or move money, and it never outlives the credential of the request. Its value is returned only once.
         *
         *     Access: A key of the caller only. A key with an expiry, such as the key of a run, gets 403.
         */
        post: operations["postConsoleKey"];
        /**
         * Delete the key of this request
         * @description Access: Only the key that authenticates the request.
         */
        delete: operations["deleteConsoleKey"];
    };
    "/api/console/sign-ins": {
        /**
         * List the browsers that stay signed in, newest first
         * @description Access: Sign-ins of the caller only. A key with an expiry, such as the key of a run, gets 403.
         */
        get: operations["getConsoleSignIns"];
        /**
         * Keep this browser signed in to the console
         * @description Exchanges a bearer token of the issuer for a cookie that scripts cannot read, and returns the first bearer token of the sign-in. Accepts requests of the console only. A key, and a bearer token that comes from such a cookie, get 403: a sign-in must not extend itself.
         *
         *     Access: A sign-in of the caller only. Replaces the sign-in of the cookie that the browser sends. A key with an expiry, such as the key of a run, gets 403.
         */
        post: operations["postConsoleSignIns"];
    };
    "/api/console/sign-ins/token": {
        /**
         * Exchange the cookie of the console for a bearer token
         * @description Replaces the cookie. A replaced cookie remains valid for one minute, for other tabs and lost responses. Its later use ends the sign-in, because the cookie must have been copied.
         *
         *     Access: The sign-in of the cookie, for requests from pages of the console only.
         */
        post: operations["postConsoleSignInsToken"];
    };
    "/api/console/sign-ins/current": {
        /**
         * Sign this browser out of the console
         * @description Ends the sign-in of the cookie with its bearer tokens and keys, and removes the cookie.
         *
         *     Access: The sign-in of the cookie, for requests from pages of the console only.
         */
        delete: operations["deleteConsoleSignInsCurrent"];
    };
    "/api/console/sign-ins/{signInId}": {
        /**
         * End a sign-in
         * @description Its bearer tokens and keys stop working within a second, and its open streams are closed.
         *
         *     Access: Sign-ins of the caller only. A key with an expiry, such as the key of a run, gets 403.
         */
        delete: operations["deleteConsoleSignInsBySignInId"];
    };
    "/api/operator/overview": {
        /**
         * Read the health, queues, rates, alerts and slow routes of all processes
         * @description Each process writes its state to a row every five seconds. The response combines the rows of all processes.
         *
         *     Access: Members of the admin organization only. Returns no account data.
         */
        get: operations["getOperatorOverview"];
    };
    "/api/operator/activity": {
        /**
         * Read the work in progress, the failures and the spending of all accounts
         * @description Returns the turns and jobs that have not ended by kind, the failures of the last `days` days (UTC) by kind and error, and the credits spent per day. Only the newest 10,000 failed turns and the newest 10,000 failed jobs are grouped.
         *
         *     Access: Members of the admin organization only. Returns no account data.
         */
        get: operations["getOperatorActivity"];
    };
    "/healthz": {
        /**
         * Check that the process runs
         * @description Access: Returns no account data.
         */
        get: operations["getHealthz"];
    };
    "/readyz": {
        /**
         * Check that the process can serve requests
         * @description Access: Returns no account data.
         */
        get: operations["getReadyz"];
    };
    "/openapi.json": {
        /**
         * Read the OpenAPI document
         * @description Access: Returns no account data.
         */
        get: operations["getOpenapiJson"];
    };
    "/reference": {
        /**
         * Show the API reference
         * @description Access: Returns no account data.
         */
        get: operations["getReference"];
    };
    "/reference/{file}": {
        /**
         * Read a file of the API reference
         * @description Access: Returns no account data.
         */
        get: operations["getReferenceByFile"];
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Approvals: {
            /**
             * @description Names of tools.
             * @default []
             */
            tools: string[];
            /**
             * @description Patterns that match anywhere in a bash command; * matches any characters.
             * @default []
             */
            commands: string[];
            /**
             * @description In a headless turn: deny the call immediately, or end the turn and wait for the approval.
             * @default deny
             * @enum {string}
             */
            headless: "deny" | "wait";
            /**
             * @description With `wait`: seconds after which the call is denied and the agent continues.
             * @default 86400
             */
            waitSeconds: number;
        };
        ErrorE2: {
            /** @description Always `error`. */
            status: "error";
            /** @description Description of the error, for the user. */
            error: string;
            /** @description Human-readable message. */
            message?: string;
            /** @description Path of the first invalid field. Only in validation errors. */
            missing_fields?: (string | number)[];
            /** @description Only in a 500. */
            request_id?: string;
        };
        Account: {
            /** @description Id of the resource. Format: uuid. */
            id: string;
            /**
             * @description Kind of the resource.
             * @enum {string}
             */
            kind: "person" | "organization" | "artist";
            /** @description Display name. */
            name: string | null;
            /** @description URL of an image. */
            image: string | null;
            /** @description Text that is added to the system prompt of agents. */
            instruction: string | null;
            /** @description The organization. */
            organization: string | null;
            /** @description Job title. */
            job_title: string | null;
            /** @description Role in the company. */
            role_type: string | null;
            /** @description Name of the company. */
            company_name: string | null;
            /** @description Documents that agents read. */
            knowledges: {
                /** @description Display name. */
                name: string;
                /** @description URL of the resource. */
                url: string | null;
                /** @description Type of the entry. */
                type: string;
            }[];
            /** @description Email addresses of the account. */
            emails: string[];
            /** @description Time of creation. Format: date-time. */
            created_at: string;
            /** @description Time of the last change. Format: date-time. */
            updated_at: string;
        };
        Key: {
            /** @description Id of the resource. Format: uuid. */
            id: string;
            /** @description Display name. */
            name: string;
            /** @description Time of creation. Format: date-time. */
            created_at: string;
            /** @description Time of expiry; null if there is none. Format: date-time. */
            expires_at: string | null;
            /** @description Time of the last use, to the minute. Format: date-time. */
            last_used: string | null;
        };
        Artist: {
            /** @description Id of the resource. Format: uuid. */
            id: string;
            /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
            account_id: string;
            /** @description Display name. */
            name: string | null;
            /** @description URL of an image. */
            image: string | null;
            /** @description Text that is added to the system prompt of agents. */
            instruction: string | null;
            /** @description Label of the artist. */
            label: string | null;
            /** @description Documents that agents read. */
            knowledges: {
                /** @description Display name. */
                name: string;
                /** @description URL of the resource. */
                url: string | null;
                /** @description Type of the entry. */
                type: string;
            }[];
            /** @description Whether the artist is pinned on the roster. */
            pinned: boolean;
            /** @description Ids of the organizations that the artist is attached to. */
            organization_ids: string[];
            /** @description Social profiles of the artist. */
            account_socials: components["schemas"]["AccountSocial"][];
            /** @description Time of creation. Format: date-time. */
            created_at: string;
            /** @description Time of the last change. Format: date-time. */
            updated_at: string;
        };
        AccountSocial: {
            /** @description Id of the resource. Format: uuid. */
            id: string;
            /** @description URL of the resource. */
            link: string;
            /**
             * @description Type of the entry.
             * @enum {string}
             */
            type: "TIKTOK" | "PHOTO" | "X" | "THREADS" | "VIDEO" | "FACEBOOK" | "LINKEDIN" | "STREAMING" | "LIVE_EVENTS" | "OTHER";
            /** @description Handle of the profile. */
            username: string | null;
            /** @description URL of the profile. */
            profile_url: string;
            /** @description URL of the profile image. */
            avatar: string | null;
            /** @description Text of the profile. */
            bio: string | null;
            /** @description Number of followers. Format: int64. */
            follower_count: number | null;
            /** @description Number of accounts that the profile follows. Format: int64. */
            following_count: number | null;
            /** @description Region of the profile. */
            region: string | null;
            /** @description Time of the last change. Format: date-time. */
            updated_at: string;
        };
        ArtistProfile: {
            /** @description Id of the resource. Format: uuid. */
            id: string;
            /** @description Display name. */
            name: string | null;
            /** @description URL of an image. */
            image: string | null;
            /** @description Followers on the streaming platform. Format: int64. */
            followers: number | null;
            /** @description URLs of the resource. */
            links: {
                /**
                 * @description Type of the entry.
                 * @enum {string}
                 */
                type: "TIKTOK" | "PHOTO" | "X" | "THREADS" | "VIDEO" | "FACEBOOK" | "LINKEDIN" | "STREAMING" | "LIVE_EVENTS" | "OTHER";
                /** @description URL of the resource. */
                url: string;
            }[];
            /** @description The catalogs. */
            catalogs: {
                /** @description Id of the resource. Format: uuid. */
                id: string;
                /** @description Display name. */
                name: string;
                /** @description The songs. */
                songs: {
                    /** @description ISRC of the recording. */
                    isrc: string;
                    /** @description Display name. */
                    name: string | null;
                    /** @description Name of the album. */
                    album: string | null;
                    /** @description URL of the cover image. */
                    artwork_url: string | null;
                    /** @description Play count that the platform displays. Format: int64. */
                    plays: number | null;
                    /** @description Mid value of the song in USD, as it contributes to the valuation of the catalog; null without plays. */
                    estimate: number | null;
                }[];
            }[];
        };
        Social: {
            /** @description Id of the social profile. Format: uuid. */
            social_id: string;
            /**
             * @description Type of the entry.
             * @enum {string}
             */
            type: "TIKTOK" | "PHOTO" | "X" | "THREADS" | "VIDEO" | "FACEBOOK" | "LINKEDIN" | "STREAMING" | "LIVE_EVENTS" | "OTHER";
            /** @description Handle of the profile. */
            username: string | null;
            /** @description URL of the profile. */
            profile_url: string;
            /** @description URL of the profile image. */
            avatar: string | null;
            /** @description Text of the profile. */
            bio: string | null;
            /** @description Number of followers. Format: int64. */
            follower_count: number | null;
            /** @description Number of accounts that the profile follows. Format: int64. */
            following_count: number | null;
            /** @description Region of the profile. */
            region: string | null;
            /** @description Time of the last change. Format: date-time. */
            updated_at: string;
            /** @description Only with `days`: followers by UTC day, oldest first. Days without a scrape are omitted. */
            history?: {
                /** @description Day of the event, as `YYYY-MM-DD`. Format: date. */
                date: string;
                /** @description Number of followers. Format: int64. */
                follower_count: number;
            }[];
        };
        Post: {
            /** @description Id of the resource. Format: uuid. */
            id: string;
            /** @description URL of the post. */
            post_url: string;
            /** @description Time of publication. Format: date-time. */
            published_at: string;
            /** @description The same as published_at. Format: date-time. */
            updated_at: string;
            /** @description Number of views. Format: int64. */
            views: number | null;
            /** @description Number of likes. Format: int64. */
            likes: number | null;
            /** @description The comments. Format: int64. */
            comments: number | null;
            /** @description Number of reposts. Format: int64. */
            reposts: number | null;
        };
        CatalogItem: {
            /** @description Id of the resource. Format: uuid. */
            id: string;
            /** @description Display name. */
            name: string;
            /** @description Time of creation. Format: date-time. */
            created_at: string;
            /** @description Time of the last change. Format: date-time. */
            updated_at: string;
            /** @description Number of songs. Format: int64. */
            song_count: number;
            /** @description Number of songs with a play count. Format: int64. */
            measured_song_count: number;
            /** @description Estimated value of the catalog; null without play counts. */
            valuation: components["schemas"]["ValuationBand"] | null;
            /** @description The owner. */
            owner: {
                /** @description Id of the resource. Format: uuid. */
                id: string;
                /** @description Display name. */
                name: string | null;
                /** @description URL of an image. */
                image: string | null;
                /** @description Whether the owner is an organization. */
                is_organization: boolean;
            };
        };
        /** @description Estimated value in USD, to the cent. */
        ValuationBand: {
            /** @description Low estimate in US dollars. */
            low: number;
            /** @description Middle estimate in US dollars. */
            mid: number;
            /** @description High estimate in US dollars. */
            high: number;
        };
        Catalog: {
            /** @description Id of the resource. Format: uuid. */
            id: string;
            /** @description Display name. */
            name: string;
            /** @description Time of creation. Format: date-time. */
            created_at: string;
            /** @description Time of the last change. Format: date-time. */
            updated_at: string;
        };
        CatalogSong: {
            /** @description Id of the catalog. Format: uuid. */
            catalog_id: string;
            /** @description ISRC of the recording. */
            isrc: string;
            /** @description Empty when unknown, as are `album` and `lyrics`. */
            name: string;
            /** @description Name of the album. */
            album: string;
            /** @description Lyrics of the song. */
            lyrics: string;
            /** @description Time of the last change. Format: date-time. */
            updated_at: string;
            /** @description The artists. */
            artists: {
                /** @description Id of the resource. Format: uuid. */
                id: string;
                /** @description Display name. */
                name: string | null;
                /** @description Epoch seconds of the last change of the artist's row. Format: int64. */
                timestamp: number | null;
            }[];
        };
        Measurement: {
            /** @description ISRC of the recording. */
            isrc: string;
            /** @description Display title. */
            title: string | null;
            /** @description Play count that the platform displays. Format: int64. */
            playcount: number;
            /** @description Time of the measurement. Format: date-time. */
            measured_at: string;
            /** @description Only with `since`: plays gained; negative if the platform corrected its count, null without an earlier count. Format: int64. */
            plays_gained?: number | null;
        };
        /** @description A band in USD, and what it was derived from. */
        Valuation: {
            /** @description Low estimate in US dollars. */
            low: number;
            /** @description Middle estimate in US dollars. */
            mid: number;
            /** @description High estimate in US dollars. */
            high: number;
            /** @description Number of songs with a play count. Format: int64. */
            measured_song_count: number;
            /** @description Sum of the play counts. Format: int64. */
            total_streams: number;
            /** @description Time of the measurement. Format: date-time. */
            measured_at: string;
        };
        /** @description Credits are integer micro-dollars. */
        InsufficientCredits: {
            /** @description Always `insufficient_credits`. */
            error: "insufficient_credits";
            /** @description Credits that remain. Format: int64. */
            remaining_credits: number;
            /** @description Credits that the request needs. Format: int64. */
            required_credits: number;
            /** @description Page where credits are bought. Format: uri. */
            billingUrl: string;
        };
        MeasurementJob: {
            /** @description Id of the resource. Format: uuid. */
            id: string;
            /** @description Id of the run. */
            runId: string;
            /** @description Always `current`. */
            source: "current";
            /**
             * @description State of the resource.
             * @enum {string}
             */
            state: "queued" | "running" | "done" | "failed";
            /** @description Number of albums. Format: int64. */
            album_count: number;
            /** @description Number of songs with a play count. Format: int64. */
            measured_song_count: number;
            /** @description Estimated cost of the measurement in US dollars. */
            estimated_cost_usd: number;
            /** @description Credits that were charged. Format: int64. */
            credits_charged: number;
            /** @description Id of the catalog. Format: uuid. */
            catalog_id: string | null;
            /**
             * @description Description of the error, for the user.
             * @enum {string|null}
             */
            error: "provider_failed" | "no_play_counts" | "timeout" | null;
            /** @description Ids of the albums without a result; empty until the job has ended. */
            unmeasured: string[];
            /** @description Time of creation. Format: date-time. */
            created_at: string;
            /** @description Time of the last change. Format: date-time. */
            updated_at: string;
        };
        ErrorScrape: {
            /** @description Always `error`. */
            status: "error";
            /** @description Description of the error, for the user. */
            error: string;
            /** @description The same text as `error`. */
            message: string;
            /** @description Path of the first invalid field. Only in validation errors. */
            missing_fields?: (string | number)[];
            /** @description Only in a 500. */
            request_id?: string;
        };
        ScraperRun: {
            /** @description Id of the run. */
            runId: string;
            /** @description Id of the data set of the scraper. */
            datasetId: string;
            /** @description Id of the run of the whole batch. */
            batch_run_id: string;
            /** @description Name of the platform. */
            platform: string | null;
            /** @description URL of the profile. */
            profile_url: string | null;
            /**
             * @description State of the resource.
             * @enum {string}
             */
            state: "QUEUED" | "EXECUTING" | "COMPLETED" | "FAILED";
            /** @description Description of the error, for the user. */
            error: string | null;
            /** @description Time at which work began. Format: date-time. */
            started_at: string | null;
            /** @description Time at which work ended. Format: date-time. */
            finished_at: string | null;
        };
        LiveEvent: {
            /** @description Day of the event, as `YYYY-MM-DD`. Format: date. */
            date: string;
            /** @description Name of the venue. */
            venue: string;
            /** @description City of the venue. */
            city: string;
            /** @description Region of the profile. */
            region: string | null;
            /** @description Country of the venue. */
            country: string;
            /** @description URL of the ticket shop. */
            ticket_url: string | null;
            /** @description Whether the event is sold out. */
            sold_out: boolean;
            /** @description The requested artist comes first. */
            lineup: string[];
        };
        Session: {
            /** @description Id of the resource. */
            id: string;
            /** @description Id of the account that owns the session. Format: uuid. */
            userId: string;
            /** @description Display title. */
            title: string;
            /**
             * @description State of the resource.
             * @enum {string}
             */
            status: "running" | "completed" | "failed" | "archived";
            /** @description Owner of the repository. */
            repoOwner: string | null;
            /** @description Name of the repository. */
            repoName: string | null;
            /** @description Name of the branch. */
            branch: string | null;
            /** @description URL to clone the repository from. */
            cloneUrl: string | null;
            /** @description Whether the branch is created with the first commit. */
            isNewBranch: boolean;
            /** @description Skills that are installed into the sandbox of the session. */
            globalSkillRefs: ({
                /** @description Origin of the entry. */
                source: string;
                /** @description Name of the skill. */
                skillName: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description Reference of the sandbox for its driver. */
            sandboxState: {
                [key: string]: unknown;
            } | null;
            /**
             * @description State of the sandbox.
             * @enum {string|null}
             */
            lifecycleState: "provisioning" | "active" | "hibernating" | "hibernated" | "restoring" | "archived" | "failed" | null;
            /** @description Version number that increases with each state change. Format: int64. */
            lifecycleVersion: number;
            /** @description Time of the last activity. Numbers are milliseconds since 1970. Format: date-time. */
            lastActivityAt: string | null;
            /** @description Time at which the sandbox ends. Numbers are milliseconds since 1970. Format: date-time. */
            sandboxExpiresAt: string | null;
            /** @description Time at which an idle sandbox hibernates. Numbers are milliseconds since 1970. Format: date-time. */
            hibernateAfter: string | null;
            /** @description Id of the workflow that watches the sandbox. */
            lifecycleRunId: string | null;
            /** @description Why the last change of the state failed. */
            lifecycleError: string | null;
            /** @description Lines that the session added. Format: int64. */
            linesAdded: number | null;
            /** @description Lines that the session removed. Format: int64. */
            linesRemoved: number | null;
            /** @description Reference of the snapshot. */
            snapshotUrl: string | null;
            /** @description Time of the snapshot. Format: date-time. */
            snapshotCreatedAt: string | null;
            /** @description Size of the snapshot in bytes. Format: int64. */
            snapshotSizeBytes: number | null;
            /** @description The stored diff. */
            cachedDiff: {
                [key: string]: unknown;
            } | null;
            /** @description Time at which the diff was stored. Format: date-time. */
            cachedDiffUpdatedAt: string | null;
            /** @description Time of creation. Numbers are milliseconds since 1970. Format: date-time. */
            createdAt: string;
            /** @description Time of the last change. Format: date-time. */
            updatedAt: string;
            /** @description Id of the artist. Format: uuid. */
            artistId: string | null;
            /** @description Present only if the session requires approvals. */
            approvals?: components["schemas"]["ApprovalsOutput"];
        };
        Chat: {
            /** @description Id of the resource. */
            id: string;
            /** @description Id of the session. */
            sessionId: string;
            /** @description Display title. */
            title: string;
            /** @description Id of the model. */
            modelId: string;
            /** @description Present only if the owner has set it. */
            autoCompact?: boolean;
            /** @description Id of the live run; null when no run is live. */
            activeStreamId: string | null;
            /** @description Time of the last message of the assistant. Format: date-time. */
            lastAssistantMessageAt: string | null;
            /** @description Time of creation. Numbers are milliseconds since 1970. Format: date-time. */
            createdAt: string;
            /** @description Time of the last change. Format: date-time. */
            updatedAt: string;
        };
        /** @description Changes of a working tree since the commit with which its sandbox started. */
        Diff: {
            /** @description The files. */
            files: {
                /** @description Path from the root of the repository. */
                path: string;
                /** @description Path before the file was renamed. */
                oldPath?: string;
                /**
                 * @description State of the resource.
                 * @enum {string}
                 */
                status: "modified" | "added" | "renamed" | "deleted";
                /**
                 * @description Whether the changes are staged.
                 * @enum {string}
                 */
                stagingStatus?: "staged" | "unstaged" | "partial";
                /** @description Lines that were added. Format: int64. */
                additions: number;
                /** @description Lines that were removed. Format: int64. */
                deletions: number;
                /** @description Unified diff of the file. */
                diff: string;
                /** @description Unified diff of the changes that are not committed. */
                localDiff?: string;
                /** @description Whether the file is generated. */
                generated?: boolean;
                /** @description Whether the diff is truncated. */
                truncated?: boolean;
            }[];
            /** @description Totals of the diff. */
            summary: {
                /** @description Number of files. Format: int64. */
                totalFiles: number;
                /** @description Lines that were added in all files. Format: int64. */
                totalAdditions: number;
                /** @description Lines that were removed in all files. Format: int64. */
                totalDeletions: number;
            };
            /** @description Revision that the working tree is compared with. */
            baseRef?: string;
        };
        RepositoryEntry: {
            /** @description Path from the root of the repository. */
            path: string;
            /**
             * @description Type of the entry.
             * @enum {string}
             */
            type: "blob" | "tree" | "commit";
            /** @description Id of the git object. */
            sha: string;
            /** @description Size in bytes. Format: int64. */
            size?: number;
        };
        RepositoryCommit: {
            /** @description Id of the git object. */
            sha: string;
            /** @description The first line. */
            message: string;
            /** @description Name of the author. */
            author: string;
            /** @description When the commit was made (ISO 8601). Format: date-time. */
            committedAt: string;
            /** @description URL of the commit page. */
            url: string;
        };
        Message: {
            /** @description Id of the resource. */
            id: string;
            /**
             * @description Author of the message.
             * @enum {string}
             */
            role: "user" | "assistant";
            /** @description Parts of the message. */
            parts: components["schemas"]["MessagePart"][];
            metadata?: components["schemas"]["MessageMetadata"];
        };
        /** @description The fields depend on the type. */
        MessagePart: {
            /** @description text, reasoning, step-start, file, source-url, source-document, tool-<name> or data-<name>. */
            type: string;
            /** @description The text. */
            text?: string;
            /**
             * @description State of the resource.
             * @enum {string}
             */
            state?: "streaming" | "done" | "input-streaming" | "input-available" | "approval-requested" | "approval-responded" | "output-available" | "output-error" | "output-denied";
            /** @description Id of the tool call. */
            toolCallId?: string;
            /** @description Input of the call. */
            input?: unknown;
            /** @description Output of the call or run. */
            output?: unknown;
            /** @description Why the call failed. */
            errorText?: string;
            /** @description Whether more output of the call follows. */
            preliminary?: boolean;
            /** @description Only in a call that requires approval by a person. */
            approval?: {
                /** @description Id of the resource. */
                id: string;
                /** @description Whether the call was approved. */
                approved?: boolean;
                /** @description Reason of the decision. */
                reason?: string;
            } & {
                [key: string]: unknown;
            };
            /** @description Id of the resource. */
            id?: string;
            /** @description The result. */
            data?: unknown;
            /** @description Media type of the file. */
            mediaType?: string;
            /** @description Name of the file. */
            filename?: string;
            /** @description Id of the source. */
            sourceId?: string;
            /** @description Display title. */
            title?: string;
            /** @description URL of the resource. */
            url?: string;
            /** @description Data of the model provider that belongs to the part. */
            providerMetadata?: unknown;
        } & {
            [key: string]: unknown;
        };
        /** @description These fields for an assistant message. A user message has the metadata that it was sent with. */
        MessageMetadata: {
            /** @description The run that wrote the message last. */
            runId?: string;
            /** @description Id of the model that was chosen for the turn. */
            selectedModelId?: string;
            /** @description Id of the model. */
            modelId?: string;
            lastStepUsage?: components["schemas"]["Usage"];
            totalMessageUsage?: components["schemas"]["Usage"];
            /** @description US dollars. */
            lastStepCost?: number;
            /** @description US dollars. */
            totalMessageCost?: number;
            /** @description Why the model stopped in the last step. */
            lastStepFinishReason?: string;
            /** @description Why the model stopped, for each step. */
            stepFinishReasons?: {
                /** @description Why the model stopped. */
                finishReason: string;
                /** @description Why the model stopped, as its provider reports it. */
                rawFinishReason?: string;
            }[];
            /**
             * @description How the turn ended.
             * @enum {string}
             */
            endReason?: "natural" | "awaiting_user" | "step_limit" | "stopped" | "error" | "time_limit";
        } & {
            [key: string]: unknown;
        };
        /** @description A number is absent when the model did not report it. */
        Usage: {
            /** @description Tokens of the prompt. */
            inputTokens?: number;
            /** @description The input tokens in detail. */
            inputTokenDetails: {
                /** @description Tokens of the prompt that were not cached. */
                noCacheTokens?: number;
                /** @description Tokens of the prompt that were read from the cache. */
                cacheReadTokens?: number;
                /** @description Tokens of the prompt that were written to the cache. */
                cacheWriteTokens?: number;
            };
            /** @description Output tokens. */
            outputTokens?: number;
            /** @description The output tokens in detail. */
            outputTokenDetails: {
                /** @description Text tokens of the output. */
                textTokens?: number;
                /** @description Reasoning tokens of the output. */
                reasoningTokens?: number;
            };
            /** @description Input and output tokens. */
            totalTokens?: number;
        };
        Branch: {
            /** @description `main`, or `branch_` and a ULID. */
            id: string;
            /**
             * @description Kind of the resource.
             * @enum {string}
             */
            kind: "main" | "regenerate" | "edit";
            /** @description Id of the branch that this one continues; null for the first. */
            parentId: string | null;
            /** @description The last message that the branch shares with its parent; null if it shares none. */
            afterMessageId: string | null;
            /** @description The message that the branch replaces with another version. */
            versionOf: string | null;
            /** @description The run that created the branch. */
            runId: string | null;
            /** @description Whether the branch is the one that the chat shows. */
            selected: boolean;
            /** @description Token usage. */
            usage: {
                /** @description Tokens of the prompt. Format: int64. */
                inputTokens: number;
                /** @description Tokens of the prompt that the provider had cached. Format: int64. */
                cachedInputTokens: number;
                /** @description Output tokens. Format: int64. */
                outputTokens: number;
            };
            /** @description Credits charged for the turns of the messages of this branch. Format: int64. */
            credits: number;
            /** @description Outcome of `restoreFiles`; null if it was not requested. */
            files: {
                /**
                 * @description State of the resource.
                 * @enum {string}
                 */
                state: "kept" | "restoring" | "restored";
                /** @description Id of the commit. */
                commit: string | null;
            } | null;
            /** @description Time of creation. Numbers are milliseconds since 1970. Format: date-time. */
            createdAt: string;
        };
        /** @description A read-only link to a chat as it was when the link was created. The URL is returned only once. */
        Share: {
            /** @description Id of the resource. Format: uuid. */
            id: string;
            /** @description Id of the chat. Format: uuid. */
            chatId: string;
            /** @description Name of the branch. */
            branch: string;
            /** @description The last message of the shared chat. */
            messageId: string;
            /** @description Whether the share shows the outputs of tools. */
            toolOutputs: boolean;
            /** @description Time of creation. Numbers are milliseconds since 1970. Format: date-time. */
            createdAt: string;
            /** @description Time of expiry; null if there is none. Numbers are milliseconds since 1970. Format: date-time. */
            expiresAt: string;
        };
        ErrorPlain: {
            /** @description Description of the error, for the user. */
            error: string;
            /** @description Path of the first invalid field. Only in validation errors. */
            missing_fields?: (string | number)[];
            /** @description Only in a 500. */
            request_id?: string;
        };
        ErrorSandbox: {
            /** @description Always `error`. */
            status: "error";
            /** @description Description of the error, for the user. */
            error: string;
            /** @description Path of the first invalid field. Only in validation errors. */
            missing_fields?: (string | number)[];
            /** @description Only in a 500. */
            request_id?: string;
        };
        ChatQueue: {
            /** @description Whether the queue is held, so that no message is accepted. */
            held: boolean;
            /**
             * @description Reason why the queue is held; null when it is not.
             * @enum {string|null}
             */
            heldBecause: "requested" | "stopped" | "failed" | "awaiting_user" | "insufficient_credits" | "sandbox_not_initialized" | null;
            /** @description How the turn ended, if a failed turn holds the queue. */
            heldText: string | null;
            /** @description The queued messages, in order. */
            queue: components["schemas"]["QueueEntry"][];
            /** @description The `after` of the next page; absent on the last one. */
            nextAfter?: string;
        };
        QueueEntry: {
            /** @description Id of the resource. */
            id: string;
            /** @description Id of the message. */
            messageId: string;
            /**
             * @description State of the resource.
             * @enum {string}
             */
            state: "waiting" | "accepted" | "steered" | "removed";
            /**
             * @description What happens to the message while a run of the chat is live.
             * @enum {string}
             */
            onBusy: "queue" | "interrupt" | "steer";
            /** @description Position from 1; null when the message no longer waits. Format: int64. */
            position: number | null;
            /** @description Text of a waiting message; null otherwise. */
            text: string | null;
            /** @description The run that the message started or joined. */
            runId: string | null;
            /** @description Time of creation. Numbers are milliseconds since 1970. Format: date-time. */
            createdAt: string;
        };
        ChatSummary: {
            /** @description Id of the resource. Format: uuid. */
            id: string;
            /** @description The text. */
            text: string;
            /** @description Number of messages that the summary replaces. Format: int64. */
            messages: number;
            /** @description First message that the summary replaces. */
            fromMessageId: string;
            /** @description Last message that the summary replaces. */
            throughMessageId: string;
            /** @description Id of the model. */
            modelId: string;
            /** @description Estimated tokens of the replaced messages. Format: int64. */
            tokensBefore: number;
            /** @description Estimated tokens of the summary text. Format: int64. */
            tokensAfter: number;
            /** @description Time of creation. Numbers are milliseconds since 1970. Format: date-time. */
            createdAt: string;
        };
        OfferedModel: {
            /** @description Id to use in chats and runs: provider/model. */
            id: string;
            /** @description The model of new chats. */
            isDefault: boolean;
            /** @description Tokens. Format: int64. */
            contextWindow: number;
            /** @description Tokens of the window that are reserved for the output. Format: int64. */
            outputReserve: number;
            /** @description Prices of the tokens; null when they are unknown. */
            prices: components["schemas"]["ModelPrices"] | null;
            /**
             * @description Null while no price is known.
             * @enum {string|null}
             */
            pricesFrom: "settings" | "gateway" | null;
            /** @description False if the model is not configured or its last call failed; null before the first call. */
            works: boolean | null;
            /** @description The last call of this model by this deployment. */
            lastCall: {
                /** @description Time of the event. Format: date-time. */
                at: string;
                /**
                 * @description refused: a retry fails again, for example with a wrong key. failed: a retry may succeed.
                 * @enum {string}
                 */
                outcome: "answered" | "refused" | "failed";
            } | null;
        };
        /** @description Cached input without a price costs as much as other input. */
        ModelPrices: {
            /** @description US dollars per million tokens. */
            input: number;
            /** @description US dollars per million tokens. */
            output: number;
            /** @description US dollars per million tokens. */
            cachedInput?: number;
            /** @description US dollars per million tokens. */
            cacheWrite?: number;
        };
        SnapshotRecord: {
            /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
            account_id: string;
            /** @description Id of the snapshot. */
            snapshot_id: string | null;
            /** @description Time of expiry; null if there is none. Format: date-time. */
            expires_at: string | null;
            /** @description URL of the source repository. */
            github_repo: string | null;
            /** @description Time of creation. Format: date-time. */
            created_at: string | null;
        };
        Task: {
            /** @description Id of the resource. Format: uuid. */
            id: string;
            /** @description Display title. */
            title: string;
            /** @description Text of the prompt. */
            prompt: string;
            /** @description Cron expression of five fields. */
            schedule: string;
            /** @description IANA time zone of the schedule. */
            timezone: string | null;
            /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
            account_id: string;
            /** @description Id of the artist. Format: uuid. */
            artist_account_id: string;
            /** @description Whether it is active. */
            enabled: boolean | null;
            /** @description Id of the schedule in the workflow engine. */
            trigger_schedule_id: string | null;
            /** @description The latest runs of the task. */
            recent_runs: components["schemas"]["TaskRun"][];
            /** @description The next scheduled times. */
            upcoming: string[];
            /** @description Email address of the owner. */
            owner_email: string | null;
            /** @description Name of the artist. */
            artist_name: string | null;
            /** @description Id of the model. */
            model: string | null;
            /** @description Present only if the task requires approvals. */
            approvals?: components["schemas"]["ApprovalsOutput"];
            /** @description Time of creation. Format: date-time. */
            created_at: string;
            /** @description Time of the last change. Format: date-time. */
            updated_at: string;
        };
        TaskRun: {
            /** @description Id of the resource. */
            id: string;
            /**
             * @description State of the resource.
             * @enum {string}
             */
            status: "QUEUED" | "DELAYED" | "EXECUTING" | "REATTEMPTING" | "COMPLETED" | "FAILED" | "CANCELED" | "CRASHED" | "SYSTEM_FAILURE" | "PENDING_VERSION" | "FROZEN" | "INTERRUPTED";
            /** @description Kind of the run. */
            taskIdentifier: string;
            /** @description Display title. */
            title: string | null;
            /** @description Key under which the run was started. */
            idempotencyKey: string | null;
            /** @description Name of the build. */
            version: string;
            /** @description Always false. */
            isTest: boolean;
            /** @description Time of creation. Numbers are milliseconds since 1970. Format: date-time. */
            createdAt: string;
            /** @description Time of the last change. Format: date-time. */
            updatedAt: string;
            /** @description Time at which work began. Format: date-time. */
            startedAt: string | null;
            /** @description Time at which work ended. Format: date-time. */
            finishedAt: string | null;
            /** @description Time before which the run does not start. Format: date-time. */
            delayedUntil: string | null;
            /** @description Time of expiry, in the past. Format: date-time. */
            expiredAt: string | null;
            /** @description Always null. */
            ttl: string | null;
            /** @description Tags. */
            tags: string[];
            /** @description Metadata, as it was sent or recorded. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description Cost in US cents. */
            costInCents: number;
            /** @description Always 0. */
            baseCostInCents: number;
            /** @description Duration in milliseconds. */
            durationMs: number;
            /** @description Environment of the run. */
            env: {
                /** @description Id of the resource. */
                id: string;
                /** @description Display name. */
                name: string;
                /** @description Always null. */
                user: string | null;
            };
            /** @description Number of runs between this one and the one that was started first. Format: int64. */
            depth: number;
            /** @description Always null. */
            batchId: string | null;
            /** @description Always `trigger`. */
            triggerFunction: "trigger";
            /** @description Input of the run. */
            payload?: unknown;
            /** @description Present only in a COMPLETED run that is read by its id. */
            output?: unknown;
            /** @description Description of the error, for the user. */
            error?: {
                /** @description Display name. */
                name: string;
                /** @description Human-readable message. */
                message: string;
                /** @description Always empty. */
                stackTrace: string;
            } | null;
            /** @description The attempts. */
            attempts?: {
                /** @description Id of the resource. */
                id: string;
                /**
                 * @description State of the resource.
                 * @enum {string}
                 */
                status: "PENDING" | "EXECUTING" | "PAUSED" | "COMPLETED" | "FAILED" | "CANCELED";
                /** @description Time of creation. Numbers are milliseconds since 1970. Format: date-time. */
                createdAt: string;
                /** @description Time of the last change. Format: date-time. */
                updatedAt: string;
                /** @description Time at which work began. Format: date-time. */
                startedAt: string | null;
                /** @description Time at which the attempt ended. Format: date-time. */
                completedAt: string | null;
                /** @description Description of the error, for the user. */
                error: {
                    /** @description Display name. */
                    name: string;
                    /** @description Human-readable message. */
                    message: string;
                    /** @description Always empty. */
                    stackTrace: string;
                } | null;
            }[];
            /** @description Cron expression of five fields. */
            schedule?: {
                [key: string]: unknown;
            } | null;
            /** @description Runs that this one started, and the one that started it. */
            relatedRuns?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A limit of null means no limit. Nothing was stored. */
        PlanLimit: {
            /** @description Always `error`. */
            status: "error";
            /** @description Always `plan_limit`. */
            error: "plan_limit";
            /**
             * @description Maximum number of items on the page.
             * @enum {string}
             */
            limit: "task_count" | "min_cadence";
            /** @description Human-readable message. */
            message: string;
            /**
             * @description The plan.
             * @enum {string}
             */
            plan: "free" | "starter" | "pro";
            /** @description Maximum number of enabled tasks; null if unlimited. Format: int64. */
            task_limit: number | null;
            /** @description Minimum number of minutes between two runs of a task. Format: int64. */
            min_cadence_minutes: number;
            /** @description Enabled tasks of the account. Format: int64. */
            current_task_count: number;
            /** @description Page where credits are bought. Format: uri. */
            billingUrl: string;
        };
        /** @description A 401 and a 403 have their status as `error`, and a `message`. */
        ErrorTasks: {
            /** @description Always `error`. */
            status?: "error";
            /** @description Description of the error, for the user. */
            error: string | number;
            /** @description Human-readable message. */
            message?: string;
            /** @description Path of the first invalid field. Only in validation errors. */
            missing_fields?: (string | number)[];
            /** @description Only in a 500. */
            request_id?: string;
        };
        ListedRun: {
            /** @description Id of the resource. */
            id: string;
            /** @description Kind of the resource. */
            kind: string;
            /**
             * @description State of the resource.
             * @enum {string}
             */
            status: "queued" | "running" | "retrying" | "completed" | "failed" | "cancelled";
            /** @description Display title. */
            title: string | null;
            /** @description Tags. */
            tags: string[];
            /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
            accountId: string;
            /** @description Id of the session. */
            sessionId: string | null;
            /** @description Id of the chat. */
            chatId: string | null;
            /** @description Id of the task. */
            taskId: string | null;
            /** @description Id of the run that started this one. */
            parentRunId: string | null;
            /** @description Id of the run that this one started. */
            childRunId: string | null;
            /**
             * @description Origin of the entry.
             * @enum {string|null}
             */
            source: "web" | "api" | null;
            /** @description Id of the model. */
            modelId: string | null;
            /** @description Time of creation. Numbers are milliseconds since 1970. Format: date-time. */
            createdAt: string;
            /** @description Time at which work began. Format: date-time. */
            startedAt: string | null;
            /** @description Time at which the run ended. Format: date-time. */
            endedAt: string | null;
            /** @description Duration in milliseconds. Format: int64. */
            durationMs: number;
            /** @description Number of credits. A credit is a millionth of a US dollar. Format: int64. */
            credits: number;
            /** @description How the turn ended. */
            endReason: string | null;
            /** @description Description of the error, for the user. */
            error: {
                /** @description Display name. */
                name: string;
                /** @description Human-readable message. */
                message: string;
            } | null;
            /** @description Whether the run can be cancelled. */
            cancellable: boolean;
            /** @description Whether the question or approval request that ended the turn is still open. */
            isWaiting: boolean;
        };
        TimelineEntry: {
            /** @description Id of the resource. */
            id: string;
            /** @description Id of the branch that this one continues; null for the first. */
            parentId: string | null;
            /**
             * @description Kind of the resource.
             * @enum {string}
             */
            kind: "wait" | "step" | "attempt" | "tool" | "commit";
            /** @description Display name. */
            name: string;
            /**
             * @description State of the resource.
             * @enum {string}
             */
            status: "waiting" | "running" | "completed" | "failed" | "lost" | "cancelled";
            /** @description Time at which work began. Format: date-time. */
            startedAt: string | null;
            /** @description Time at which the run ended. Format: date-time. */
            endedAt: string | null;
            /** @description Duration in milliseconds. Format: int64. */
            durationMs: number | null;
            /** @description Number of the attempt. Format: int64. */
            attempt: number | null;
            /** @description Description of the error, for the user. */
            error: {
                /** @description Display name. */
                name: string;
                /** @description Human-readable message. */
                message: string;
            } | null;
            /** @description Id of the model. */
            model: {
                /** @description Id of the model. */
                modelId: string;
                /** @description Why the model stopped. */
                finishReason: string | null;
                /** @description Tokens of the prompt. Format: int64. */
                inputTokens: number;
                /** @description Tokens of the prompt that the provider had cached. Format: int64. */
                cachedInputTokens: number;
                /** @description Output tokens. Format: int64. */
                outputTokens: number;
                /** @description Cost in US dollars. */
                costUsd: string | null;
                /** @description Time to the first output of the model call. Format: int64. */
                firstOutputMs: number | null;
            } | null;
            /** @description Input of the call. */
            input: string | null;
            /** @description Output of the call or run. */
            output: string | null;
        };
        ErrorClaim: {
            /** @description Always `error`. */
            status: "error";
            /** @description Description of the error, for the user. */
            error: string;
            /** @description Only in a 500. */
            request_id?: string;
        };
        LedgerEntry: {
            /** @description Id of the resource. Format: int64. */
            id: number;
            /**
             * @description Kind of the resource.
             * @enum {string}
             */
            kind: "seed" | "refill" | "topup" | "grant" | "charge" | "refund";
            /** @description Number of credits. A credit is a millionth of a US dollar. Format: int64. */
            credits: number;
            /** @description The amount in US dollars. */
            usd: string;
            /** @description Balance in credits after the entry. Format: int64. */
            balance_after: number;
            /** @description Unique reference of the entry. */
            reference: string;
            /** @description Reason of the decision. */
            reason: string | null;
            /**
             * @description Origin of the entry.
             * @enum {string|null}
             */
            source: "web" | "api" | null;
            /** @description Id of the model. */
            model_id: string | null;
            /** @description Id of the run. */
            run_id: string | null;
            /** @description Time of creation. Format: date-time. */
            created_at: string;
        };
        /** @description Error in the format of the upload library. */
        ErrorBlob: {
            /** @description Description of the error, for the user. */
            error: {
                /** @description Code of the error. */
                code: string;
                /** @description Human-readable message. */
                message: string;
            };
            /** @description Only in a 500. */
            request_id?: string;
        };
        MusicGeneration: {
            /** @description Id of the resource. Format: uuid. */
            id: string;
            /**
             * @description State of the resource.
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "failed";
            /** @description Text of the prompt. */
            prompt: string;
            /** @description Lyrics of the song. */
            lyrics: string;
            /** @description Id of the model. */
            model: string;
            /** @description Length in seconds. */
            duration_seconds: number | null;
            /** @description URL of the finished track. Format: uri. */
            audio_url: string | null;
            /**
             * @description Why the generation failed.
             * @enum {string|null}
             */
            error_message: "The track could not be rendered." | "Rendering took too long." | "The track could not be stored." | "The media storage of the account is full: delete tracks or videos, or choose a larger plan." | null;
            /** @description Time of creation. Format: date-time. */
            created_at: string;
            /** @description Time of the last change. Format: date-time. */
            updated_at: string;
        };
        ContentVideo: {
            /** @description Id of the run. */
            runId: string;
            /**
             * @description State of the resource.
             * @enum {string}
             */
            status: "queued" | "running" | "retrying" | "completed" | "failed" | "cancelled";
            /** @description Current step of the work. */
            stage: string | null;
            /** @description Human-readable message. */
            message: string | null;
            /** @description Id of the artist. Format: uuid. */
            artist_account_id: string | null;
            /** @description Name of the artist. */
            artist_name: string;
            /** @description The template. */
            template: string;
            /** @description Whether the lips are synchronized with the song. */
            lipsync: boolean;
            /** @description Whether the video is upscaled. */
            upscale: boolean;
            /**
             * @description Length of the caption.
             * @enum {string}
             */
            caption_length: "none" | "short" | "medium" | "long";
            /** @description The songs. */
            songs: string[];
            /** @description URLs of images. */
            images: string[];
            /** @description URL of the finished video. */
            videoSourceUrl: string | null;
            /** @description URL of the image. */
            imageUrl: string | null;
            /** @description Text of the caption. */
            captionText: string;
            /** @description The audio of the video. */
            audio: {
                /** @description Title of the song. */
                songTitle: string;
                /** @description Position in the song, in seconds. */
                startSeconds: number;
                /** @description Length in seconds. */
                durationSeconds: number;
            } | null;
            /** @description Description of the error, for the user. */
            error: string | null;
            /** @description Whether the run can be cancelled. */
            cancellable: boolean;
            /** @description Time of creation. Numbers are milliseconds since 1970. Format: date-time. */
            createdAt: string;
            /** @description Time at which the run ended. Format: date-time. */
            endedAt: string | null;
        };
        ErrorE1: {
            /** @description The HTTP status. Format: int64. */
            error: number;
            /** @description Human-readable message. */
            message: string;
            /** @description Only in a 500. */
            request_id?: string;
        };
        ApprovalsOutput: {
            /**
             * @description Names of tools.
             * @default []
             */
            tools: string[];
            /**
             * @description Patterns that match anywhere in a bash command; * matches any characters.
             * @default []
             */
            commands: string[];
            /**
             * @description In a headless turn: deny the call immediately, or end the turn and wait for the approval.
             * @default deny
             * @enum {string}
             */
            headless: "deny" | "wait";
            /**
             * @description With `wait`: seconds after which the call is denied and the agent continues.
             * @default 86400
             */
            waitSeconds: number;
        };
    };
    responses: {
        /** @description The path does not support this method. */
        MethodNotAllowed: {
            content: { "application/json": components["schemas"]["ErrorE2"]; };
        };
        /** @description The request has no credential, two credentials or an invalid one. */
        E2Unauthorized: {
            content: { "application/json": components["schemas"]["ErrorE2"]; };
        };
        /** @description Too many requests or open streams, or the caller has used its share of a limit. */
        E2RateLimited: {
            content: { "application/json": components["schemas"]["ErrorE2"]; };
        };
        /** @description Unexpected server error. */
        E2Internal: {
            content: { "application/json": components["schemas"]["ErrorE2"]; };
        };
        /** @description Temporarily unavailable. */
        E2Unavailable: {
            content: { "application/json": components["schemas"]["ErrorE2"]; };
        };
        /** @description The request is malformed or a field is invalid. */
        E2InvalidRequest: {
            content: { "application/json": components["schemas"]["ErrorE2"]; };
        };
        /** @description The caller is not allowed to do this. */
        E2Forbidden: {
            content: { "application/json": components["schemas"]["ErrorE2"]; };
        };
        /** @description The resource or the path does not exist. */
        E2NotFound: {
            content: { "application/json": components["schemas"]["ErrorE2"]; };
        };
        /** @description The body was not received in time. The connection is closed. */
        E2RequestTimeout: {
            content: { "application/json": components["schemas"]["ErrorE2"]; };
        };
        /** @description The body exceeds the size limit of the route. */
        E2PayloadTooLarge: {
            content: { "application/json": components["schemas"]["ErrorE2"]; };
        };
        /** @description The body is not application/json. */
        E2UnsupportedMediaType: {
            content: { "application/json": components["schemas"]["ErrorE2"]; };
        };
        /** @description A service that the request depends on failed. */
        E2BadGateway: {
            content: { "application/json": components["schemas"]["ErrorE2"]; };
        };
        /** @description The state of the resource does not allow the request, or a request with this Idempotency-Key is in progress. */
        E2Conflict: {
            content: { "application/json": components["schemas"]["ErrorE2"]; };
        };
        /** @description The Idempotency-Key was used for a different request. */
        E2IdempotencyMismatch: {
            content: { "application/json": components["schemas"]["ErrorE2"]; };
        };
        /** @description Not enough credits. Nothing was written. */
        E2InsufficientCredits: {
            content: { "application/json": components["schemas"]["InsufficientCredits"]; };
        };
        /** @description The operation did not finish in time and may still be running. */
        E2Timeout: {
            content: { "application/json": components["schemas"]["ErrorE2"]; };
        };
        /** @description The request is malformed or a field is invalid. */
        ScrapeInvalidRequest: {
            content: { "application/json": components["schemas"]["ErrorScrape"]; };
        };
        /** @description The request has no credential, two credentials or an invalid one. */
        ScrapeUnauthorized: {
            content: { "application/json": components["schemas"]["ErrorScrape"]; };
        };
        /** @description Not enough credits. Nothing was written. */
        ScrapeInsufficientCredits: {
            content: { "application/json": components["schemas"]["InsufficientCredits"]; };
        };
        /** @description The caller is not allowed to do this. */
        ScrapeForbidden: {
            content: { "application/json": components["schemas"]["ErrorScrape"]; };
        };
        /** @description The body was not received in time. The connection is closed. */
        ScrapeRequestTimeout: {
            content: { "application/json": components["schemas"]["ErrorScrape"]; };
        };
        /** @description The state of the resource does not allow the request, or a request with this Idempotency-Key is in progress. */
        ScrapeConflict: {
            content: { "application/json": components["schemas"]["ErrorScrape"]; };
        };
        /** @description The body exceeds the size limit of the route. */
        ScrapePayloadTooLarge: {
            content: { "application/json": components["schemas"]["ErrorScrape"]; };
        };
        /** @description The body is not application/json. */
        ScrapeUnsupportedMediaType: {
            content: { "application/json": components["schemas"]["ErrorScrape"]; };
        };
        /** @description The Idempotency-Key was used for a different request. */
        ScrapeIdempotencyMismatch: {
            content: { "application/json": components["schemas"]["ErrorScrape"]; };
        };
        /** @description Too many requests or open streams, or the caller has used its share of a limit. */
        ScrapeRateLimited: {
            content: { "application/json": components["schemas"]["ErrorScrape"]; };
        };
        /** @description Unexpected server error. */
        ScrapeInternal: {
            content: { "application/json": components["schemas"]["ErrorScrape"]; };
        };
        /** @description Temporarily unavailable. */
        ScrapeUnavailable: {
            content: { "application/json": components["schemas"]["ErrorScrape"]; };
        };
        /** @description The resource or the path does not exist. */
        ScrapeNotFound: {
            content: { "application/json": components["schemas"]["ErrorScrape"]; };
        };
        /** @description The request is malformed or a field is invalid. The sandbox of the session is not active. */
        E2InvalidRequestSandboxNotInitialized: {
            content: { "application/json": components["schemas"]["ErrorE2"]; };
        };
        /** @description The request is malformed or a field is invalid. */
        PlainInvalidRequest: {
            content: { "application/json": components["schemas"]["ErrorPlain"]; };
        };
        /** @description Unexpected server error. */
        PlainInternal: {
            content: { "application/json": components["schemas"]["ErrorPlain"]; };
        };
        /** @description The request is malformed or a field is invalid. */
        SandboxInvalidRequest: {
            content: { "application/json": components["schemas"]["ErrorSandbox"]; };
        };
        /** @description The request has no credential, two credentials or an invalid one. */
        SandboxUnauthorized: {
            content: { "application/json": components["schemas"]["ErrorSandbox"]; };
        };
        /** @description The caller is not allowed to do this. */
        SandboxForbidden: {
            content: { "application/json": components["schemas"]["ErrorSandbox"]; };
        };
        /** @description The resource or the path does not exist. */
        SandboxNotFound: {
            content: { "application/json": components["schemas"]["ErrorSandbox"]; };
        };
        /** @description The body was not received in time. The connection is closed. */
        SandboxRequestTimeout: {
            content: { "application/json": components["schemas"]["ErrorSandbox"]; };
        };
        /** @description The state of the resource does not allow the request, or a request with this Idempotency-Key is in progress. */
        SandboxConflict: {
            content: { "application/json": components["schemas"]["ErrorSandbox"]; };
        };
        /** @description The body exceeds the size limit of the route. */
        SandboxPayloadTooLarge: {
            content: { "application/json": components["schemas"]["ErrorSandbox"]; };
        };
        /** @description The body is not application/json. */
        SandboxUnsupportedMediaType: {
            content: { "application/json": components["schemas"]["ErrorSandbox"]; };
        };
        /** @description The Idempotency-Key was used for a different request. */
        SandboxIdempotencyMismatch: {
            content: { "application/json": components["schemas"]["ErrorSandbox"]; };
        };
        /** @description Too many requests or open streams, or the caller has used its share of a limit. */
        SandboxRateLimited: {
            content: { "application/json": components["schemas"]["ErrorSandbox"]; };
        };
        /** @description Unexpected server error. */
        SandboxInternal: {
            content: { "application/json": components["schemas"]["ErrorSandbox"]; };
        };
        /** @description A service that the request depends on failed. */
        SandboxBadGateway: {
            content: { "application/json": components["schemas"]["ErrorSandbox"]; };
        };
        /** @description Temporarily unavailable. */
        SandboxUnavailable: {
            content: { "application/json": components["schemas"]["ErrorSandbox"]; };
        };
        /** @description The operation did not finish in time and may still be running. */
        SandboxTimeout: {
            content: { "application/json": components["schemas"]["ErrorSandbox"]; };
        };
        /** @description The request is malformed or a field is invalid. The sandbox of the session is not active. */
        SandboxInvalidRequestSandboxNotInitialized: {
            content: { "application/json": components["schemas"]["ErrorSandbox"]; };
        };
        /** @description The request has no credential, two credentials or an invalid one. */
        PlainUnauthorized: {
            content: { "application/json": components["schemas"]["ErrorPlain"]; };
        };
        /** @description The body was not received in time. The connection is closed. */
        PlainRequestTimeout: {
            content: { "application/json": components["schemas"]["ErrorPlain"]; };
        };
        /** @description The body exceeds the size limit of the route. */
        PlainPayloadTooLarge: {
            content: { "application/json": components["schemas"]["ErrorPlain"]; };
        };
        /** @description The body is not application/json. */
        PlainUnsupportedMediaType: {
            content: { "application/json": components["schemas"]["ErrorPlain"]; };
        };
        /** @description Too many requests or open streams, or the caller has used its share of a limit. */
        PlainRateLimited: {
            content: { "application/json": components["schemas"]["ErrorPlain"]; };
        };
        /** @description Unexpected server error. The request was valid but failed. */
        PlainInternalNotDone: {
            content: { "application/json": components["schemas"]["ErrorPlain"]; };
        };
        /** @description Temporarily unavailable. */
        PlainUnavailable: {
            content: { "application/json": components["schemas"]["ErrorPlain"]; };
        };
        /** @description Unexpected server error. The request was valid but failed. */
        SandboxInternalNotDone: {
            content: { "application/json": components["schemas"]["ErrorSandbox"]; };
        };
        /** @description The plan of the owner does not allow it. Nothing was written. */
        E2PlanLimit: {
            content: { "application/json": components["schemas"]["PlanLimit"]; };
        };
        /** @description The request is malformed or a field is invalid. */
        TasksInvalidRequest: {
            content: { "application/json": components["schemas"]["ErrorTasks"]; };
        };
        /** @description The request has no credential, two credentials or an invalid one. */
        TasksUnauthorized: {
            content: { "application/json": components["schemas"]["ErrorTasks"]; };
        };
        /** @description The plan of the owner does not allow it. Nothing was written. */
        TasksPlanLimit: {
            content: { "application/json": components["schemas"]["PlanLimit"]; };
        };
        /** @description The caller is not allowed to do this. */
        TasksForbidden: {
            content: { "application/json": components["schemas"]["ErrorTasks"]; };
        };
        /** @description The resource or the path does not exist. */
        TasksNotFound: {
            content: { "application/json": components["schemas"]["ErrorTasks"]; };
        };
        /** @description The body was not received in time. The connection is closed. */
        TasksRequestTimeout: {
            content: { "application/json": components["schemas"]["ErrorTasks"]; };
        };
        /** @description The body exceeds the size limit of the route. */
        TasksPayloadTooLarge: {
            content: { "application/json": components["schemas"]["ErrorTasks"]; };
        };
        /** @description The body is not application/json. */
        TasksUnsupportedMediaType: {
            content: { "application/json": components["schemas"]["ErrorTasks"]; };
        };
        /** @description Too many requests or open streams, or the caller has used its share of a limit. */
        TasksRateLimited: {
            content: { "application/json": components["schemas"]["ErrorTasks"]; };
        };
        /** @description Unexpected server error. */
        TasksInternal: {
            content: { "application/json": components["schemas"]["ErrorTasks"]; };
        };
        /** @description Temporarily unavailable. */
        TasksUnavailable: {
            content: { "application/json": components["schemas"]["ErrorTasks"]; };
        };
        /** @description The caller is not allowed to do this. */
        PlainForbidden: {
            content: { "application/json": components["schemas"]["ErrorPlain"]; };
        };
        /** @description The state of the resource does not allow the request, or a request with this Idempotency-Key is in progress. */
        PlainConflict: {
            content: { "application/json": components["schemas"]["ErrorPlain"]; };
        };
        /** @description The Idempotency-Key was used for a different request. */
        PlainIdempotencyMismatch: {
            content: { "application/json": components["schemas"]["ErrorPlain"]; };
        };
        /** @description A service that the request depends on failed. */
        PlainBadGateway: {
            content: { "application/json": components["schemas"]["ErrorPlain"]; };
        };
        /** @description The request is malformed or a field is invalid. */
        ClaimInvalidRequest: {
            content: { "application/json": components["schemas"]["ErrorClaim"]; };
        };
        /** @description The request has no credential, two credentials or an invalid one. */
        ClaimUnauthorized: {
            content: { "application/json": components["schemas"]["ErrorClaim"]; };
        };
        /** @description The caller is not allowed to do this. */
        ClaimForbidden: {
            content: { "application/json": components["schemas"]["ErrorClaim"]; };
        };
        /** @description The resource or the path does not exist. */
        ClaimNotFound: {
            content: { "application/json": components["schemas"]["ErrorClaim"]; };
        };
        /** @description The body was not received in time. The connection is closed. */
        ClaimRequestTimeout: {
            content: { "application/json": components["schemas"]["ErrorClaim"]; };
        };
        /** @description The state of the resource does not allow the request, or a request with this Idempotency-Key is in progress. */
        ClaimConflict: {
            content: { "application/json": components["schemas"]["ErrorClaim"]; };
        };
        /** @description The body exceeds the size limit of the route. */
        ClaimPayloadTooLarge: {
            content: { "application/json": components["schemas"]["ErrorClaim"]; };
        };
        /** @description The body is not application/json. */
        ClaimUnsupportedMediaType: {
            content: { "application/json": components["schemas"]["ErrorClaim"]; };
        };
        /** @description Too many requests or open streams, or the caller has used its share of a limit. */
        ClaimRateLimited: {
            content: { "application/json": components["schemas"]["ErrorClaim"]; };
        };
        /** @description Unexpected server error. */
        ClaimInternal: {
            content: { "application/json": components["schemas"]["ErrorClaim"]; };
        };
        /** @description A service that the request depends on failed. */
        ClaimBadGateway: {
            content: { "application/json": components["schemas"]["ErrorClaim"]; };
        };
        /** @description Temporarily unavailable. */
        ClaimUnavailable: {
            content: { "application/json": components["schemas"]["ErrorClaim"]; };
        };
        /** @description The request is malformed or a field is invalid. */
        BlobInvalidRequest: {
            content: { "application/json": components["schemas"]["ErrorBlob"]; };
        };
        /** @description The caller is not allowed to do this. */
        BlobForbidden: {
            content: { "application/json": components["schemas"]["ErrorBlob"]; };
        };
        /** @description The body was not received in time. The connection is closed. */
        BlobRequestTimeout: {
            content: { "application/json": components["schemas"]["ErrorBlob"]; };
        };
        /** @description The body exceeds the size limit of the route. */
        BlobPayloadTooLarge: {
            content: { "application/json": components["schemas"]["ErrorBlob"]; };
        };
        /** @description Too many requests or open streams, or the caller has used its share of a limit. */
        BlobRateLimited: {
            content: { "application/json": components["schemas"]["ErrorBlob"]; };
        };
        /** @description Unexpected server error. */
        BlobInternal: {
            content: { "application/json": components["schemas"]["ErrorBlob"]; };
        };
        /** @description Temporarily unavailable. */
        BlobUnavailable: {
            content: { "application/json": components["schemas"]["ErrorBlob"]; };
        };
        /** @description The resource or the path does not exist. */
        BlobNotFound: {
            content: { "application/json": components["schemas"]["ErrorBlob"]; };
        };
        /** @description The resource or the path does not exist. */
        PlainNotFound: {
            content: { "application/json": components["schemas"]["ErrorPlain"]; };
        };
        /** @description Not enough credits. Nothing was written. The plan of the owner does not allow it. Nothing was written. */
        E2InsufficientCreditsPlanLimit: {
            content: { "application/json": components["schemas"]["InsufficientCredits"]; };
        };
        /** @description The request is malformed or a field is invalid. */
        E1InvalidRequest: {
            content: { "application/json": components["schemas"]["ErrorE1"]; };
        };
        /** @description The request has no credential, two credentials or an invalid one. */
        E1Unauthorized: {
            content: { "application/json": components["schemas"]["ErrorE1"]; };
        };
        /** @description The caller is not allowed to do this. */
        E1Forbidden: {
            content: { "application/json": components["schemas"]["ErrorE1"]; };
        };
        /** @description Too many requests or open streams, or the caller has used its share of a limit. */
        E1RateLimited: {
            content: { "application/json": components["schemas"]["ErrorE1"]; };
        };
        /** @description Unexpected server error. */
        E1Internal: {
            content: { "application/json": components["schemas"]["ErrorE1"]; };
        };
        /** @description Temporarily unavailable. */
        E1Unavailable: {
            content: { "application/json": components["schemas"]["ErrorE1"]; };
        };
        /** @description The body was not received in time. The connection is closed. */
        E1RequestTimeout: {
            content: { "application/json": components["schemas"]["ErrorE1"]; };
        };
        /** @description The body exceeds the size limit of the route. */
        E1PayloadTooLarge: {
            content: { "application/json": components["schemas"]["ErrorE1"]; };
        };
        /** @description The body is not application/json. */
        E1UnsupportedMediaType: {
            content: { "application/json": components["schemas"]["ErrorE1"]; };
        };
        /** @description A service that the request depends on failed. */
        E1BadGateway: {
            content: { "application/json": components["schemas"]["ErrorE1"]; };
        };
        /** @description The resource or the path does not exist. */
        E1NotFound: {
            content: { "application/json": components["schemas"]["ErrorE1"]; };
        };
        /** @description The state of the resource does not allow the request, or a request with this Idempotency-Key is in progress. */
        E1Conflict: {
            content: { "application/json": components["schemas"]["ErrorE1"]; };
        };
        /** @description The Idempotency-Key was used for a different request. */
        E1IdempotencyMismatch: {
            content: { "application/json": components["schemas"]["ErrorE1"]; };
        };
        /** @description The page is not served under this host name. */
        E2MisdirectedRequest: {
            content: { "application/json": components["schemas"]["ErrorE2"]; };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getAccountsId: {
        parameters: NoParameters;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                        accountId: string;
                    };
                };
            };
            401: components["responses"]["E2Unauthorized"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getAccountsById: {
        parameters: Only<{
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        account: components["schemas"]["Account"];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    patchAccounts: {
        parameters: NoParameters;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada Lovelace",
                 *       "job_title": "Manager"
                 *     }
                 */
                "application/json": {
                    /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                    account_id?: string;
                    /** @description Display name. */
                    name?: string;
                    /** @description URL of an image. Format: uri. */
                    image?: string;
                    /** @description Text that is added to the system prompt of agents. */
                    instruction?: string;
                    /** @description The organization. */
                    organization?: string;
                    /** @description Job title. */
                    job_title?: string;
                    /** @description Role in the company. */
                    role_type?: string;
                    /** @description Name of the company. */
                    company_name?: string;
                    /** @description Documents that agents read. */
                    knowledges?: {
                        /** @description Display name. */
                        name: string;
                        /** @description URL of the resource. Format: uri. */
                        url: string;
                        /** @description Type of the entry. */
                        type: string;
                    }[];
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        account: components["schemas"]["Account"];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postAgentsSignup: {
        parameters: NoParameters;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com"
                 *     }
                 */
                "application/json": {
                    /** @description An email address. Format: email. */
                    email: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                        account_id: string;
                        /** @description The API key. It is shown only once; null if a code was emailed instead. */
                        api_key: string | null;
                        /** @description Human-readable message. */
                        message: string;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            502: components["responses"]["E2BadGateway"];
        };
    };
    postAgentsVerify: {
        parameters: NoParameters;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "code": "123456"
                 *     }
                 */
                "application/json": {
                    /** @description An email address. Format: email. */
                    email: string;
                    /** @description Code of the error. */
                    code: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                        account_id: string;
                        /** @description The API key. It is shown only once; null if a code was emailed instead. */
                        api_key: string | null;
                        /** @description Human-readable message. */
                        message: string;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
        };
    };
    getKeys: {
        parameters: Only<{
            query?: {
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of items to skip. */
                offset?: number;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The API keys, without their values. */
                        keys: components["schemas"]["Key"][];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postKeys: {
        parameters: NoParameters;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key_name": "My laptop"
                 *     }
                 */
                "application/json": {
                    /** @description Name of the new key. */
                    key_name: string;
                    /** @description Ignored: a key always belongs to the caller. */
                    account_id?: unknown;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The API key. It is returned only once. */
                        key: string;
                        /** @description Id of the resource. Format: uuid. */
                        id: string;
                        /** @description Display name. */
                        name: string;
                        /** @description Time of creation. Format: date-time. */
                        created_at: string;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    deleteKeys: {
        parameters: Only<{
            query?: {
                /** @description Id of the resource in the path. */
                id?: string;
            };
        }>;
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "id": "3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42"
                 *     }
                 */
                "application/json": {
                    /** @description Id of the resource. Format: uuid. */
                    id?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description Human-readable message. */
                        message: string;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getOrganizations: {
        parameters: Only<{
            query?: {
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
                /** @description Only items in this state. */
                state?: "member" | "invited";
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of items to skip. */
                offset?: number;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The organizations. */
                        organizations: {
                            /** @description Id of the resource. Format: uuid. */
                            id: string;
                            /** @description Id of the organization. Format: uuid. */
                            organization_id: string;
                            /** @description Name of the organization. */
                            organization_name: string | null;
                            /** @description URL of the image of the organization. */
                            organization_image: string | null;
                            /**
                             * @description State of the resource.
                             * @enum {string}
                             */
                            state: "member" | "invited";
                        }[];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postOrganizations: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Northern Records"
                 *     }
                 */
                "application/json": {
                    /** @description Display name. */
                    name: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The organization. */
                        organization: {
                            /** @description Id of the resource. Format: uuid. */
                            id: string;
                            /** @description Display name. */
                            name: string;
                        };
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            422: components["responses"]["E2IdempotencyMismatch"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getOrganizationsById: {
        parameters: Only<{
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The organization. */
                        organization: {
                            /** @description Id of the resource. Format: uuid. */
                            id: string;
                            /** @description Display name. */
                            name: string | null;
                            /** @description URL of an image. */
                            image: string | null;
                            /** @description Time of creation. Format: date-time. */
                            created_at: string;
                        };
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getOrganizationsMembers: {
        parameters: Only<{
            query: {
                /** @description Returns only items of this organization. */
                organization_id: string;
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of items to skip. */
                offset?: number;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description Members and invited accounts. */
                        members: {
                            /** @description Id of the resource. Format: uuid. */
                            id: string;
                            /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                            account_id: string;
                            /** @description Display name. */
                            name: string | null;
                            /**
                             * @description State of the resource.
                             * @enum {string}
                             */
                            state: "member" | "invited";
                            /** @description Time of creation. Format: date-time. */
                            created_at: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postOrganizationsMembers: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "organization_id": "c7a8e1f4-2d3b-4e5c-8f90-1a2b3c4d5e6f",
                 *       "email": "grace@example.com"
                 *     }
                 */
                "application/json": {
                    /** @description Id of the organization. Format: uuid. */
                    organization_id: string;
                    /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                    account_id?: string;
                    /** @description An email address. Format: email. */
                    email?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description Id of the resource. Format: uuid. */
                        id: string;
                        /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                        account_id: string;
                        /**
                         * @description State of the resource.
                         * @enum {string}
                         */
                        state: "member" | "invited";
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            422: components["responses"]["E2IdempotencyMismatch"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    deleteOrganizationsMembers: {
        parameters: Only<{
            query: {
                /** @description Returns only items of this organization. */
                organization_id: string;
                /** @description Account to act for. Default: the caller. */
                account_id: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postOrganizationsMembersAccept: {
        parameters: NoParameters;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "organization_id": "c7a8e1f4-2d3b-4e5c-8f90-1a2b3c4d5e6f"
                 *     }
                 */
                "application/json": {
                    /** @description Id of the organization. Format: uuid. */
                    organization_id: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description Id of the resource. Format: uuid. */
                        id: string;
                        /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                        account_id: string;
                        /**
                         * @description State of the resource.
                         * @enum {string}
                         */
                        state: "member" | "invited";
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getArtists: {
        parameters: Only<{
            query?: {
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
                /** @description Returns only items of this organization. */
                organization_id?: string;
                /** @description Alias of organization_id. */
                org_id?: string;
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of items to skip. */
                offset?: number;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The artists. */
                        artists: components["schemas"]["Artist"][];
                        /** @description Position of this page in the list. */
                        pagination: {
                            /** @description Number of items in the whole list. Format: int64. */
                            total_count: number;
                            /** @description Maximum number of items on the page. Format: int64. */
                            limit: number;
                            /** @description Number of items to skip. Format: int64. */
                            offset: number;
                            /** @description Offset of the next page. Present if this page ends before its limit because it has reached 4 MB. Format: int64. */
                            next_offset?: number;
                        };
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postArtists: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nova Quartet",
                 *       "streaming_artist_id": "0LcJLqbBmaGUft1e9Mm8HV"
                 *     }
                 */
                "application/json": {
                    /** @description Display name. */
                    name: string;
                    /** @description Id of the artist on the streaming platform. */
                    streaming_artist_id?: string;
                    /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                    account_id?: string;
                    /** @description Id of the organization. Format: uuid. */
                    organization_id?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        artist: components["schemas"]["Artist"];
                    };
                };
            };
            201: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        artist: components["schemas"]["Artist"];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            422: components["responses"]["E2IdempotencyMismatch"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postAccountsArtists: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "artist_id": "9b2d7c10-8e43-4f6a-b1c5-7e0f9d3a2c68"
                 *     }
                 */
                "application/json": {
                    /** @description Id of the artist. Format: uuid. */
                    artist_id: string;
                    /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                    account_id?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description Id of the artist. Format: uuid. */
                        artist_id: string;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            422: components["responses"]["E2IdempotencyMismatch"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getArtistsById: {
        parameters: Only<{
            query?: {
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
                /** @description Returns only items of this organization. */
                organization_id?: string;
            };
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        artist: components["schemas"]["Artist"];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    deleteArtistsById: {
        parameters: Only<{
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "account_id": "3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42"
                 *     }
                 */
                "application/json": {
                    /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                    account_id?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description Always `true`. */
                        success: true;
                        /** @description Id of the artist. Format: uuid. */
                        artistId: string;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    patchArtistsById: {
        parameters: Only<{
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "label": "Northern Records",
                 *       "instruction": "Write in the first person."
                 *     }
                 */
                "application/json": {
                    /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                    account_id?: string;
                    /** @description Id of the organization. Format: uuid. */
                    organization_id?: string;
                    /** @description Display name. */
                    name?: string;
                    /** @description URL of an image. Format: uri. */
                    image?: string;
                    /** @description Text that is added to the system prompt of agents. */
                    instruction?: string;
                    /** @description Label of the artist. */
                    label?: string;
                    /** @description Documents that agents read. */
                    knowledges?: {
                        /** @description Display name. */
                        name: string;
                        /** @description URL of the resource. Format: uri. */
                        url: string;
                        /** @description Type of the entry. */
                        type: string;
                    }[];
                    /** @description Whether the artist is pinned on the roster. */
                    pinned?: boolean;
                    /** @description TIKTOK, PHOTO, X, THREADS, VIDEO, FACEBOOK, LINKEDIN, STREAMING, LIVE_EVENTS, OTHER mapped to the URL of the profile on that platform. Empty and null entries are ignored. */
                    profileUrls?: {
                        [key: string]: string | null;
                    };
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        artist: components["schemas"]["Artist"];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getArtistsByIdProfile: {
        parameters: Only<{
            query?: {
                /** @description Number of the page, from 1. */
                page?: number;
                /** @description Maximum number of items on the page. */
                limit?: number;
            };
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        profile: components["schemas"]["ArtistProfile"];
                        /** @description Position of this page in the list. */
                        pagination: {
                            /** @description Number of items in the whole list. Format: int64. */
                            total_count: number;
                            /** @description Number of the page, from 1. Format: int64. */
                            page: number;
                            /** @description Maximum number of items on the page. Format: int64. */
                            limit: number;
                            /** @description Number of pages. Format: int64. */
                            total_pages: number;
                            /** @description Offset of the next page. Present if this page ends before its limit because it has reached 4 MB. Format: int64. */
                            next_offset?: number;
                        };
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postOrganizationsArtists: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "organization_id": "c7a8e1f4-2d3b-4e5c-8f90-1a2b3c4d5e6f",
                 *       "artist_id": "9b2d7c10-8e43-4f6a-b1c5-7e0f9d3a2c68"
                 *     }
                 */
                "application/json": {
                    /** @description Id of the organization. Format: uuid. */
                    organization_id: string;
                    /** @description Id of the artist. Format: uuid. */
                    artist_id: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description Id of the resource. Format: uuid. */
                        id: string;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            422: components["responses"]["E2IdempotencyMismatch"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    deleteOrganizationsArtists: {
        parameters: Only<{
            query: {
                /** @description Returns only items of this organization. */
                organization_id: string;
                /** @description Returns only items of this artist. */
                artist_id: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getArtistsByIdSocials: {
        parameters: Only<{
            query?: {
                /** @description Number of the page, from 1. */
                page?: number;
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of days, including today, for which the follower history is returned. */
                days?: string;
            };
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The social profiles. */
                        socials: components["schemas"]["Social"][];
                        /** @description Position of this page in the list. */
                        pagination: {
                            /** @description Number of items in the whole list. Format: int64. */
                            total_count: number;
                            /** @description Number of the page, from 1. Format: int64. */
                            page: number;
                            /** @description Maximum number of items on the page. Format: int64. */
                            limit: number;
                            /** @description Number of pages. Format: int64. */
                            total_pages: number;
                        };
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getArtistsByIdPosts: {
        parameters: Only<{
            query?: {
                /** @description Number of the page, from 1. */
                page?: number;
                /** @description Maximum number of items on the page. */
                limit?: number;
            };
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The posts; in a request, how many posts of each profile are stored. */
                        posts: components["schemas"]["Post"][];
                        /** @description Position of this page in the list. */
                        pagination: {
                            /** @description Number of items in the whole list. Format: int64. */
                            total_count: number;
                            /** @description Number of the page, from 1. Format: int64. */
                            page: number;
                            /** @description Maximum number of items on the page. Format: int64. */
                            limit: number;
                            /** @description Number of pages. Format: int64. */
                            total_pages: number;
                        };
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    deleteArtistsByIdSocialsBySocialId: {
        parameters: Only<{
            path: {
                /** @description Id of the resource in the path. */
                id: string;
                /** @description Id of the social profile. */
                socialId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description Always `true`. */
                        success: true;
                        /** @description Id of the social profile. Format: uuid. */
                        socialId: string;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getResearchArtists: {
        parameters: Only<{
            query: {
                /** @description Name of an artist, or a part of it. */
                search: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The artists. */
                        artists: {
                            /** @description Id of the artist on the streaming platform. */
                            streaming_artist_id: string;
                            /** @description Display name. */
                            name: string;
                            /** @description URL of an image. */
                            image: string | null;
                            /** @description Number of followers. Format: int64. */
                            follower_count: number | null;
                            /** @description URL of the profile. */
                            profile_url: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            502: components["responses"]["E2BadGateway"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getCatalogs: {
        parameters: Only<{
            query?: {
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of items to skip. */
                offset?: number;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The catalogs. */
                        catalogs: components["schemas"]["CatalogItem"][];
                        /** @description Position of this page in the list. */
                        pagination: {
                            /** @description Number of items in the whole list. Format: int64. */
                            total_count: number;
                            /** @description Maximum number of items on the page. Format: int64. */
                            limit: number;
                            /** @description Number of items to skip. Format: int64. */
                            offset: number;
                        };
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postCatalogs: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Early recordings"
                 *     }
                 */
                "application/json": {
                    /** @description Display name. */
                    name?: string;
                    /** @description Id of the completed snapshot from which the catalog is created. Format: uuid. */
                    snapshot?: string;
                    /** @description Id of the organization. Format: uuid. */
                    organization_id?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        catalog: components["schemas"]["Catalog"];
                        /** @description Number of songs that were added. Format: int64. */
                        songs_added: number;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            422: components["responses"]["E2IdempotencyMismatch"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getAccountsByIdCatalogs: {
        parameters: Only<{
            query?: {
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of items to skip. */
                offset?: number;
            };
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The catalogs. */
                        catalogs: components["schemas"]["CatalogItem"][];
                        /** @description Position of this page in the list. */
                        pagination: {
                            /** @description Number of items in the whole list. Format: int64. */
                            total_count: number;
                            /** @description Maximum number of items on the page. Format: int64. */
                            limit: number;
                            /** @description Number of items to skip. Format: int64. */
                            offset: number;
                        };
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getCatalogsByCatalogId: {
        parameters: Only<{
            path: {
                /** @description Id of the catalog. */
                catalogId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        catalog: components["schemas"]["CatalogItem"];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    deleteCatalogsByCatalogId: {
        parameters: Only<{
            path: {
                /** @description Id of the catalog. */
                catalogId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description Id of the catalog. Format: uuid. */
                        catalog_id: string;
                        /** @description Ids of snapshots that can be claimed again. */
                        released_snapshot_ids: string[];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    patchCatalogsByCatalogId: {
        parameters: Only<{
            path: {
                /** @description Id of the catalog. */
                catalogId: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Early recordings"
                 *     }
                 */
                "application/json": {
                    /** @description Display name. */
                    name: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        catalog: components["schemas"]["Catalog"];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getCatalogsSongs: {
        parameters: Only<{
            query: {
                /** @description Returns only items of this catalog. */
                catalog_id: string;
                /** @description Name of the artist. */
                artistName?: string;
                /** @description Number of the page, from 1. */
                page?: number;
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of songs to skip, instead of `page`: the `next_offset` of a page that ended early. */
                offset?: number;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The songs. */
                        songs: components["schemas"]["CatalogSong"][];
                        /** @description Position of this page in the list. */
                        pagination: {
                            /** @description Number of items in the whole list. Format: int64. */
                            total_count: number;
                            /** @description Number of the page, from 1. Format: int64. */
                            page: number;
                            /** @description Maximum number of items on the page. Format: int64. */
                            limit: number;
                            /** @description Number of pages. Format: int64. */
                            total_pages: number;
                            /** @description Offset of the next page. Present if this page ends before its limit because it has reached 4 MB. Format: int64. */
                            next_offset?: number;
                        };
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postCatalogsSongs: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "songs": [
                 *         {
                 *           "catalog_id": "3b9aa2c1-4d6e-4f80-9a1b-2c3d4e5f6a7b",
                 *           "isrc": "GBAYE0601498",
                 *           "name": "June demo"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description The songs. */
                    songs: {
                        /** @description Id of the catalog. Format: uuid. */
                        catalog_id: string;
                        /** @description ISRC of the recording. */
                        isrc: string;
                        /** @description Display name. */
                        name?: string;
                        /** @description Name of the album. */
                        album?: string;
                        /** @description Lyrics of the song. */
                        lyrics?: string;
                        /** @description Names of the artists, used if the platform has none for the song. */
                        artists?: string[];
                    }[];
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The songs. */
                        songs: components["schemas"]["CatalogSong"][];
                        /** @description Number of songs that were added. Format: int64. */
                        songs_added: number;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            422: components["responses"]["E2IdempotencyMismatch"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    deleteCatalogsSongs: {
        parameters: NoParameters;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "songs": [
                 *         {
                 *           "catalog_id": "3b9aa2c1-4d6e-4f80-9a1b-2c3d4e5f6a7b",
                 *           "isrc": "GBAYE0601498"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description The songs. */
                    songs: {
                        /** @description Id of the catalog. Format: uuid. */
                        catalog_id: string;
                        /** @description ISRC of the recording. */
                        isrc: string;
                    }[];
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The songs. */
                        songs: components["schemas"]["CatalogSong"][];
                        /** @description Position of this page in the list. */
                        pagination: {
                            /** @description Number of items in the whole list. Format: int64. */
                            total_count: number;
                            /** @description Number of the page, from 1. Format: int64. */
                            page: number;
                            /** @description Maximum number of items on the page. Format: int64. */
                            limit: number;
                            /** @description Number of pages. Format: int64. */
                            total_pages: number;
                            /** @description Offset of the next page. Present if this page ends before its limit because it has reached 4 MB. Format: int64. */
                            next_offset?: number;
                        };
                        /** @description Number of songs that were removed. Format: int64. */
                        removed: number;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getCatalogsByCatalogIdMeasurements: {
        parameters: Only<{
            query?: {
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
                /** @description Returns only items of this artist. */
                artist_account_id?: string;
                /** @description Adds the plays that each song has gained since its latest count at this time. */
                since?: string;
                /** @description Number of the page, from 1. */
                page?: number;
                /** @description Maximum number of items on the page. */
                limit?: number;
            };
            path: {
                /** @description Id of the catalog. */
                catalogId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The latest play count of each song. */
                        measurements: components["schemas"]["Measurement"][];
                        /** @description Position of this page in the list. */
                        pagination: {
                            /** @description Number of items in the whole list. Format: int64. */
                            total_count: number;
                            /** @description Number of the page, from 1. Format: int64. */
                            page: number;
                            /** @description Maximum number of items on the page. Format: int64. */
                            limit: number;
                            /** @description Number of pages. Format: int64. */
                            total_pages: number;
                            /** @description Offset of the next page. Present if this page ends before its limit because it has reached 4 MB. Format: int64. */
                            next_offset?: number;
                        };
                        /** @description Number of songs with a play count. Format: int64. */
                        measured_song_count: number;
                        /** @description Sum of the play counts. Format: int64. */
                        total_streams: number;
                        /** @description Years since the first release. Format: int64. */
                        catalog_age_years: number;
                        /** @description Estimated value of the catalog; null without play counts. */
                        valuation: components["schemas"]["ValuationBand"] | null;
                        /** @description Id of the artist. Format: uuid. */
                        artist_account_id: string | null;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getCatalogsByCatalogIdValuations: {
        parameters: Only<{
            query?: {
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of items to skip. */
                offset?: number;
            };
            path: {
                /** @description Id of the catalog. */
                catalogId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description Earlier valuations. */
                        valuations: components["schemas"]["Valuation"][];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postValuation: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "streaming_artist_id": "0LcJLqbBmaGUft1e9Mm8HV"
                 *     }
                 */
                "application/json": {
                    /** @description Id of the artist on the streaming platform. */
                    streaming_artist_id: string;
                    /** @description Id of the organization. Format: uuid. */
                    organization_id?: string;
                    /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                    account_id?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        catalog: components["schemas"]["Catalog"];
                        band: components["schemas"]["ValuationBand"];
                        /** @description Tracks with a captured play count. Format: int64. */
                        songs_measured: number;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            402: components["responses"]["E2InsufficientCredits"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            422: components["responses"]["E2IdempotencyMismatch"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            502: components["responses"]["E2BadGateway"];
            503: components["responses"]["E2Unavailable"];
            504: components["responses"]["E2Timeout"];
        };
    };
    getResearchMeasurementJobs: {
        parameters: Only<{
            query?: {
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of items to skip. */
                offset?: number;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The measurement jobs. */
                        jobs: components["schemas"]["MeasurementJob"][];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postResearchMeasurementJobs: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "scope": {
                 *         "album_ids": [
                 *           "4aawyAB9vmqN3uQ7FjRGTy"
                 *         ]
                 *       },
                 *       "source": "current"
                 *     }
                 */
                "application/json": {
                    /** @description What is measured. */
                    scope: {
                        /** @description Id of the catalog. Format: uuid. */
                        catalog_id?: string;
                        /** @description Ids of albums on the streaming platform. */
                        album_ids?: string[];
                        /** @description ISRCs of recordings. */
                        isrcs?: string[];
                    };
                    /** @description Always `current`. */
                    source: "current";
                    /**
                     * @description Names of the platforms.
                     * @default [
                     *       "STREAMING"
                     *     ]
                     */
                    platforms?: "STREAMING"[];
                    /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                    account_id?: string;
                };
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description Always `current`. */
                        source: "current";
                        /** @description Id of the resource. Format: uuid. */
                        id: string;
                        /** @description Id of the run. */
                        runId: string;
                        /**
                         * @description State of the resource.
                         * @enum {string}
                         */
                        state: "queued" | "running" | "done" | "failed";
                        /** @description Number of albums. Format: int64. */
                        album_count: number;
                        /** @description Estimated cost of the measurement in US dollars. */
                        estimated_cost_usd: number;
                        /** @description Number of credits. A credit is a millionth of a US dollar. Format: int64. */
                        credits: number;
                        /** @description Whether the response is an earlier job with the same albums. */
                        reused: boolean;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            402: components["responses"]["E2InsufficientCredits"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            422: components["responses"]["E2IdempotencyMismatch"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getResearchMeasurementJobsById: {
        parameters: Only<{
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        job: components["schemas"]["MeasurementJob"];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postArtistSocialsScrape: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "artist_account_id": "7c1f0a52-6f0e-4e0f-8b57-2a2b54d1c7aa",
                 *       "posts": 20
                 *     }
                 */
                "application/json": {
                    /** @description Id of the artist. Format: uuid. */
                    artist_account_id: string;
                    /** @description The posts; in a request, how many posts of each profile are stored. */
                    posts?: number;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Id of the run. */
                        runId: string;
                        /** @description Id of the data set of the scraper. */
                        datasetId: string;
                        /** @description Description of the error, for the user. */
                        error: string | null;
                        /** @description The runs. */
                        runs: {
                            /** @description Name of the platform. */
                            platform: string;
                            /** @description URL of the profile. */
                            profile_url: string;
                            /** @description Id of the run. */
                            runId: string | null;
                            /** @description Id of the data set of the scraper. */
                            datasetId: string | null;
                            /** @description Description of the error, for the user. */
                            error: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["ScrapeInvalidRequest"];
            401: components["responses"]["ScrapeUnauthorized"];
            402: components["responses"]["ScrapeInsufficientCredits"];
            403: components["responses"]["ScrapeForbidden"];
            408: components["responses"]["ScrapeRequestTimeout"];
            409: components["responses"]["ScrapeConflict"];
            413: components["responses"]["ScrapePayloadTooLarge"];
            415: components["responses"]["ScrapeUnsupportedMediaType"];
            422: components["responses"]["ScrapeIdempotencyMismatch"];
            429: components["responses"]["ScrapeRateLimited"];
            500: components["responses"]["ScrapeInternal"];
            503: components["responses"]["ScrapeUnavailable"];
        };
    };
    postSocialsByIdScrape: {
        parameters: Only<{
            query?: {
                /** @description The posts; in a request, how many posts of each profile are stored. */
                posts?: number;
            };
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "posts": 20
                 *     }
                 */
                "application/json": {
                    /** @description The posts; in a request, how many posts of each profile are stored. */
                    posts?: number;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Id of the run. */
                        runId: string;
                        /** @description Id of the data set of the scraper. */
                        datasetId: string;
                        /** @description Description of the error, for the user. */
                        error: string | null;
                        /** @description The runs. */
                        runs: {
                            /** @description Name of the platform. */
                            platform: string;
                            /** @description URL of the profile. */
                            profile_url: string;
                            /** @description Id of the run. */
                            runId: string | null;
                            /** @description Id of the data set of the scraper. */
                            datasetId: string | null;
                            /** @description Description of the error, for the user. */
                            error: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["ScrapeInvalidRequest"];
            401: components["responses"]["ScrapeUnauthorized"];
            402: components["responses"]["ScrapeInsufficientCredits"];
            403: components["responses"]["ScrapeForbidden"];
            404: components["responses"]["ScrapeNotFound"];
            408: components["responses"]["ScrapeRequestTimeout"];
            409: components["responses"]["ScrapeConflict"];
            413: components["responses"]["ScrapePayloadTooLarge"];
            415: components["responses"]["ScrapeUnsupportedMediaType"];
            422: components["responses"]["ScrapeIdempotencyMismatch"];
            429: components["responses"]["ScrapeRateLimited"];
            500: components["responses"]["ScrapeInternal"];
            503: components["responses"]["ScrapeUnavailable"];
        };
    };
    getScrapersRunsByRunId: {
        parameters: Only<{
            query?: {
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
                /** @description Number of the page, from 1. */
                page?: number;
                /** @description Maximum number of items on the page. */
                limit?: number;
            };
            path: {
                /** @description Id of the run. */
                runId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The run. */
                        run: {
                            /** @description Id of the run. */
                            runId: string;
                            /** @description Id of the data set of the scraper. */
                            datasetId: string;
                            /** @description Id of the run of the whole batch. */
                            batch_run_id: string;
                            /** @description Name of the platform. */
                            platform: string | null;
                            /** @description URL of the profile. */
                            profile_url: string | null;
                            /**
                             * @description State of the resource.
                             * @enum {string}
                             */
                            state: "QUEUED" | "EXECUTING" | "COMPLETED" | "FAILED";
                            /** @description Description of the error, for the user. */
                            error: string | null;
                            /** @description Time at which work began. Format: date-time. */
                            started_at: string | null;
                            /** @description Time at which work ended. Format: date-time. */
                            finished_at: string | null;
                            /** @description The runs. */
                            runs?: components["schemas"]["ScraperRun"][];
                        };
                        /** @description The result. */
                        data: {
                            /** @description The profile. */
                            profile: components["schemas"]["Social"] | null;
                            /** @description The posts; in a request, how many posts of each profile are stored. */
                            posts: components["schemas"]["Post"][];
                        } | null;
                        /** @description Position of this page in the list. */
                        pagination: {
                            /** @description Number of items in the whole list. Format: int64. */
                            total_count: number;
                            /** @description Number of the page, from 1. Format: int64. */
                            page: number;
                            /** @description Maximum number of items on the page. Format: int64. */
                            limit: number;
                            /** @description Number of pages. Format: int64. */
                            total_pages: number;
                        };
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postWebhooksScraper: {
        parameters: Only<{
            query?: {
                /** @description The run. */
                run?: string;
                /** @description The token of the link. */
                token?: string;
            };
        }>;
        requestBody: {
            content: { "application/json": unknown; };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description Always `true`. */
                        ignored?: true;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            500: components["responses"]["E2Internal"];
        };
    };
    postResearchEvents: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "artist_id": "7c1f0a52-6f0e-4e0f-8b57-2a2b54d1c7aa",
                 *       "date": "upcoming"
                 *     }
                 */
                "application/json": {
                    /** @description Id of the artist. Format: uuid. */
                    artist_id: string;
                    /**
                     * @description Day of the event, as `YYYY-MM-DD`.
                     * @default upcoming
                     * @enum {string}
                     */
                    date?: "upcoming" | "past" | "all";
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The events. */
                        events: components["schemas"]["LiveEvent"][];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            402: components["responses"]["E2InsufficientCredits"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            422: components["responses"]["E2IdempotencyMismatch"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            502: components["responses"]["E2BadGateway"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getSessions: {
        parameters: Only<{
            query?: {
                /** @description Only items in this state. */
                status?: "all" | "active" | "archived";
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of items to skip. */
                offset?: number;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The sessions, latest activity first. */
                        sessions: {
                            /** @description Id of the resource. */
                            id: string;
                            /** @description Display title. */
                            title: string;
                            /**
                             * @description State of the resource.
                             * @enum {string}
                             */
                            status: "running" | "completed" | "failed" | "archived";
                            /** @description Owner of the repository. */
                            repoOwner: string | null;
                            /** @description Name of the repository. */
                            repoName: string | null;
                            /** @description Name of the branch. */
                            branch: string | null;
                            /** @description Lines that the session added. Format: int64. */
                            linesAdded: number | null;
                            /** @description Lines that the session removed. Format: int64. */
                            linesRemoved: number | null;
                            /** @description Time of creation. Numbers are milliseconds since 1970. Format: date-time. */
                            createdAt: string;
                            /** @description Id of the artist. Format: uuid. */
                            artistId: string | null;
                            /** @description Time of the last activity. Numbers are milliseconds since 1970. Format: date-time. */
                            lastActivityAt: string;
                            /** @description Whether there are messages that the account has not read. */
                            hasUnread: boolean;
                            /** @description Whether a run of the session is live. */
                            hasStreaming: boolean;
                            /** @description Id of the chat with the latest change. */
                            latestChatId: string | null;
                        }[];
                        /** @description Number of archived sessions. Format: int64. */
                        archivedCount: number;
                        /** @description Position of this page in the list. */
                        pagination: {
                            /** @description Maximum number of items on the page. Format: int64. */
                            limit: number;
                            /** @description Number of items to skip. Format: int64. */
                            offset: number;
                            /** @description Whether more items follow. */
                            hasMore: boolean;
                            /** @description Offset of the next page; null at the end. Format: int64. */
                            nextOffset: number | null;
                        };
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postSessions: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "title": "Tour plan"
                 *     }
                 */
                "application/json": {
                    /** @description Display title. */
                    title?: string;
                    /** @description Id of the organization. Format: uuid. */
                    organizationId?: string;
                    /** @description Id of the artist. Format: uuid. */
                    artistId?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        session: components["schemas"]["Session"];
                        chat: components["schemas"]["Chat"];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            422: components["responses"]["E2IdempotencyMismatch"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            502: components["responses"]["E2BadGateway"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getSessionsBySessionId: {
        parameters: Only<{
            path: {
                /** @description Id of the session. */
                sessionId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        session: components["schemas"]["Session"];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    deleteSessionsBySessionId: {
        parameters: Only<{
            path: {
                /** @description Id of the session. */
                sessionId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `true`. */
                        success: true;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
            504: components["responses"]["E2Timeout"];
        };
    };
    patchSessionsBySessionId: {
        parameters: Only<{
            path: {
                /** @description Id of the session. */
                sessionId: string;
            };
        }>;
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "title": "Tour plan for autumn"
                 *     }
                 */
                "application/json": {
                    /** @description Display title. */
                    title?: string;
                    /**
                     * @description State of the resource.
                     * @enum {string}
                     */
                    status?: "running" | "completed" | "failed" | "archived";
                    /** @description Lines that the session added. */
                    linesAdded?: number;
                    /** @description Lines that the session removed. */
                    linesRemoved?: number;
                    /** @description Version number that increases with each state change. Format: int64. */
                    lifecycleVersion?: number;
                    /** @description Tools whose calls wait for approval. */
                    approvals?: components["schemas"]["Approvals"] | null;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        session: components["schemas"]["Session"];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
            504: components["responses"]["E2Timeout"];
        };
    };
    getSessionsBySessionIdDiff: {
        parameters: Only<{
            path: {
                /** @description Id of the session. */
                sessionId: string;
            };
        }>;
        responses: {
            200: {
                content: { "application/json": components["schemas"]["Diff"]; };
            };
            400: components["responses"]["E2InvalidRequestSandboxNotInitialized"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            502: components["responses"]["E2BadGateway"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getSessionsBySessionIdDiffCached: {
        parameters: Only<{
            path: {
                /** @description Id of the session. */
                sessionId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["Diff"];
                        /** @description Time at which the diff was stored. Format: date-time. */
                        cachedAt: string;
                        /** @description Whether the working tree has changed since. */
                        isStale: boolean;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getSessionsBySessionIdFiles: {
        parameters: Only<{
            path: {
                /** @description Id of the session. */
                sessionId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Id of the commit. */
                        commit: string;
                        /** @description The entries, oldest first. */
                        entries: components["schemas"]["RepositoryEntry"][];
                        /** @description Whether entries were left out. */
                        isTruncated: boolean;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getSessionsBySessionIdFilesContent: {
        parameters: Only<{
            query: {
                /** @description Path from the root of the repository. */
                path: string;
            };
            path: {
                /** @description Id of the session. */
                sessionId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Text of the message, in place of `parts`. */
                        content: string;
                        /**
                         * @description How the content is encoded.
                         * @enum {string}
                         */
                        encoding: "utf-8" | "base64";
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            413: components["responses"]["E2PayloadTooLarge"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getSessionsBySessionIdFilesHistory: {
        parameters: Only<{
            query?: {
                /** @description Path from the root of the repository. */
                path?: string;
                /** @description Maximum number of items on the page. */
                limit?: number;
            };
            path: {
                /** @description Id of the session. */
                sessionId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Commits, newest first. */
                        commits: components["schemas"]["RepositoryCommit"][];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getSessionsBySessionIdChats: {
        parameters: Only<{
            query?: {
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of items to skip. */
                offset?: number;
            };
            path: {
                /** @description Id of the session. */
                sessionId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The chats. */
                        chats: {
                            /** @description Id of the resource. */
                            id: string;
                            /** @description Id of the session. */
                            sessionId: string;
                            /** @description Display title. */
                            title: string;
                            /** @description Id of the model. */
                            modelId: string;
                            /** @description Present only if the owner has set it. */
                            autoCompact?: boolean;
                            /** @description Id of the live run; null when no run is live. */
                            activeStreamId: string | null;
                            /** @description Time of the last message of the assistant. Format: date-time. */
                            lastAssistantMessageAt: string | null;
                            /** @description Time of creation. Numbers are milliseconds since 1970. Format: date-time. */
                            createdAt: string;
                            /** @description Time of the last change. Format: date-time. */
                            updatedAt: string;
                            /** @description Whether there are messages that the account has not read. */
                            hasUnread: boolean;
                            /** @description Whether a run of the chat is live. */
                            isStreaming: boolean;
                        }[];
                        /** @description Id of the model that a chat uses by default. */
                        defaultModelId: string;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postSessionsBySessionIdChats: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the session. */
                sessionId: string;
            };
        }>;
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "id": "5d4c3b2a-1f0e-4d9c-8b7a-6f5e4d3c2b1a"
                 *     }
                 */
                "application/json": {
                    /** @description Id of the resource. Format: uuid. */
                    id?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        chat: components["schemas"]["Chat"];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            422: components["responses"]["E2IdempotencyMismatch"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getSessionsBySessionIdChatsByChatId: {
        parameters: Only<{
            query?: {
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Returns only items older than this position. */
                before?: string;
                /** @description Id of a branch. Default: the selected branch. */
                branch?: string;
            };
            path: {
                /** @description Id of the session. */
                sessionId: string;
                /** @description Id of the chat. */
                chatId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        chat: components["schemas"]["Chat"];
                        /** @description Id of the branch that contains `messages`. */
                        branch: string;
                        /** @description Whether a run of the chat is live. */
                        isStreaming: boolean;
                        /** @description Index of the first frame of the live run that the messages do not contain; null without a live run. Format: int64. */
                        resumeIndex: number | null;
                        /** @description The messages, oldest first. */
                        messages: components["schemas"]["Message"][];
                        /** @description Position for `before` that reads the next older page; null at the end. */
                        nextBefore: string | null;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    deleteSessionsBySessionIdChatsByChatId: {
        parameters: Only<{
            path: {
                /** @description Id of the session. */
                sessionId: string;
                /** @description Id of the chat. */
                chatId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `true`. */
                        success: true;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
            504: components["responses"]["E2Timeout"];
        };
    };
    patchSessionsBySessionIdChatsByChatId: {
        parameters: Only<{
            path: {
                /** @description Id of the session. */
                sessionId: string;
                /** @description Id of the chat. */
                chatId: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Set list"
                 *     }
                 */
                "application/json": {
                    /** @description Display title. */
                    title?: string;
                    /** @description Id of the model. */
                    modelId?: string;
                    /** @description Whether a long history is summarized before a turn. */
                    autoCompact?: boolean;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        chat: components["schemas"]["Chat"];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postSessionsBySessionIdChatsByChatIdRead: {
        parameters: Only<{
            path: {
                /** @description Id of the session. */
                sessionId: string;
                /** @description Id of the chat. */
                chatId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `true`. */
                        success: true;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getChats: {
        parameters: Only<{
            query?: {
                /** @description Only the chat with this id. */
                id?: string;
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
                /** @description Returns only items of this artist. */
                artist_account_id?: string;
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of items to skip. */
                offset?: number;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The chats. */
                        chats: {
                            /** @description Id of the resource. */
                            id: string;
                            /** @description Display title. */
                            title: string;
                            /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                            accountId: string;
                            /** @description Id of the session. */
                            sessionId: string;
                            /** @description Time of the last change. Format: date-time. */
                            updatedAt: string;
                            /** @description Id of the artist. Format: uuid. */
                            artistId: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getSessionsBySessionIdChatsByChatIdBranches: {
        parameters: Only<{
            path: {
                /** @description Id of the session. */
                sessionId: string;
                /** @description Id of the chat. */
                chatId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The branches of the chat. */
                        branches: components["schemas"]["Branch"][];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postSessionsBySessionIdChatsByChatIdBranchesByBranchIdSelect: {
        parameters: Only<{
            path: {
                /** @description Id of the session. */
                sessionId: string;
                /** @description Id of the chat. */
                chatId: string;
                /** @description Id of the branch. */
                branchId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        branch: components["schemas"]["Branch"];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postSessionsBySessionIdChatsByChatIdCopy: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the session. */
                sessionId: string;
                /** @description Id of the chat. */
                chatId: string;
            };
        }>;
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "to": "session",
                 *       "title": "Second try"
                 *     }
                 */
                "application/json": {
                    /** @description Id of the message. */
                    messageId?: string;
                    /** @description Name of the branch. */
                    branch?: string;
                    /**
                     * @description End of the period, excluded.
                     * @default chat
                     * @enum {string}
                     */
                    to?: "chat" | "session";
                    /** @description Display title. */
                    title?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The session. */
                        session: components["schemas"]["Session"] | null;
                        chat: components["schemas"]["Chat"];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            422: components["responses"]["E2IdempotencyMismatch"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            502: components["responses"]["E2BadGateway"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getSessionsBySessionIdChatsByChatIdShares: {
        parameters: Only<{
            path: {
                /** @description Id of the session. */
                sessionId: string;
                /** @description Id of the chat. */
                chatId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The share links. */
                        shares: components["schemas"]["Share"][];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postSessionsBySessionIdChatsByChatIdShares: {
        parameters: Only<{
            path: {
                /** @description Id of the session. */
                sessionId: string;
                /** @description Id of the chat. */
                chatId: string;
            };
        }>;
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "expiresInDays": 7
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Days until expiry.
                     * @default 30
                     */
                    expiresInDays?: number;
                    /**
                     * @description Whether the share shows the outputs of tools.
                     * @default false
                     */
                    toolOutputs?: boolean;
                    /** @description Id of the message. */
                    messageId?: string;
                    /** @description Name of the branch. */
                    branch?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        share: components["schemas"]["Share"];
                        /** @description URL of the resource. */
                        url: string;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    deleteSessionsBySessionIdChatsByChatIdSharesByShareId: {
        parameters: Only<{
            path: {
                /** @description Id of the session. */
                sessionId: string;
                /** @description Id of the chat. */
                chatId: string;
                /** @description Id of the share link. */
                shareId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `true`. */
                        success: true;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getShareByToken: {
        parameters: Only<{
            query?: {
                /** @description Returns only items older than this position. */
                before?: string;
            };
            path: {
                /** @description The token of the link. */
                token: string;
            };
        }>;
        responses: {
            /** @description The last page of the chat, or the page before the message in `before`. */
            200: {
                content: { "text/html": string; };
            };
            400: components["responses"]["PlainInvalidRequest"];
            /** @description The link is unknown, revoked or expired. */
            404: {
                content: { "text/html": string; };
            };
            500: components["responses"]["PlainInternal"];
        };
    };
    postSandbox: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sessionId": "5d4c3b2a-1f0e-4d9c-8b7a-6f5e4d3c2b1a"
                 *     }
                 */
                "application/json": {
                    /** @description Id of the session. */
                    sessionId: string;
                    /** @description URL of the repository. */
                    repoUrl?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Time of creation. Numbers are milliseconds since 1970. */
                        createdAt: number;
                        /** @description Lifetime of the sandbox in milliseconds. */
                        timeout: number;
                        /** @description Branch that is checked out. */
                        currentBranch: string;
                        /** @description State in which the sandbox was found. */
                        mode: string;
                        /** @description How long the start took. */
                        timing: {
                            /** @description Milliseconds until the sandbox was ready. */
                            readyMs: number;
                        };
                    };
                };
            };
            400: components["responses"]["SandboxInvalidRequest"];
            401: components["responses"]["SandboxUnauthorized"];
            403: components["responses"]["SandboxForbidden"];
            404: components["responses"]["SandboxNotFound"];
            408: components["responses"]["SandboxRequestTimeout"];
            409: components["responses"]["SandboxConflict"];
            413: components["responses"]["SandboxPayloadTooLarge"];
            415: components["responses"]["SandboxUnsupportedMediaType"];
            422: components["responses"]["SandboxIdempotencyMismatch"];
            429: components["responses"]["SandboxRateLimited"];
            500: components["responses"]["SandboxInternal"];
            502: components["responses"]["SandboxBadGateway"];
            503: components["responses"]["SandboxUnavailable"];
            504: components["responses"]["SandboxTimeout"];
        };
    };
    getSandboxStatus: {
        parameters: Only<{
            query: {
                /** @description Id of the session. */
                sessionId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /**
                         * @description State of the resource.
                         * @enum {string}
                         */
                        status: "active" | "no_sandbox";
                        /** @description Whether there is a snapshot to restore. */
                        hasSnapshot: boolean;
                        /** @description Version number that increases with each state change. Format: int64. */
                        lifecycleVersion: number;
                        /** @description State and times of the sandbox. */
                        lifecycle: {
                            /** @description Time of the server, in milliseconds since 1970. */
                            serverTime: number;
                            /** @description State of the resource. */
                            state: string | null;
                            /** @description Time of the last activity. Numbers are milliseconds since 1970. */
                            lastActivityAt: number | null;
                            /** @description Time at which an idle sandbox hibernates. Numbers are milliseconds since 1970. */
                            hibernateAfter: number | null;
                            /** @description Time at which the sandbox ends. Numbers are milliseconds since 1970. */
                            sandboxExpiresAt: number | null;
                        };
                    };
                };
            };
            400: components["responses"]["SandboxInvalidRequest"];
            401: components["responses"]["SandboxUnauthorized"];
            403: components["responses"]["SandboxForbidden"];
            404: components["responses"]["SandboxNotFound"];
            429: components["responses"]["SandboxRateLimited"];
            500: components["responses"]["SandboxInternal"];
            503: components["responses"]["SandboxUnavailable"];
        };
    };
    getGitByOwnerByRepositoryCommitByCommit: {
        parameters: Only<{
            path: {
                /** @description Owner of the repository. */
                owner: string;
                /** @description Name of the repository, with or without `.git`. */
                repository: string;
                /** @description Id of the commit. */
                commit: string;
            };
        }>;
        responses: {
            /** @description The commit as `git show` prints it. */
            200: {
                content: { "text/plain": string; };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getGitByOwnerByRepositoryInfoRefs: {
        parameters: Only<{
            query: {
                /** @description Git service: `git-upload-pack` or `git-receive-pack`. */
                service: "git-upload-pack" | "git-receive-pack";
            };
            path: {
                /** @description Owner of the repository. */
                owner: string;
                /** @description Name of the repository, with or without `.git`. */
                repository: string;
            };
        }>;
        responses: {
            /** @description Git protocol data. */
            200: {
                content: { "application/octet-stream": string; };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postGitByOwnerByRepositoryGitUploadPack: {
        parameters: Only<{
            path: {
                /** @description Owner of the repository. */
                owner: string;
                /** @description Name of the repository, with or without `.git`. */
                repository: string;
            };
        }>;
        requestBody: {
            content: { "application/x-git-upload-pack-request": unknown; };
        };
        responses: {
            /** @description Git protocol data. */
            200: {
                content: { "application/x-git-upload-pack-result": string; };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postGitByOwnerByRepositoryGitReceivePack: {
        parameters: Only<{
            path: {
                /** @description Owner of the repository. */
                owner: string;
                /** @description Name of the repository, with or without `.git`. */
                repository: string;
            };
        }>;
        requestBody: {
            content: { "application/x-git-receive-pack-request": unknown; };
        };
        responses: {
            /** @description Git protocol data. */
            200: {
                content: { "application/x-git-receive-pack-result": string; };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getSandboxReconnect: {
        parameters: Only<{
            query: {
                /** @description Id of the session. */
                sessionId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `no_sandbox`. */
                        status: "no_sandbox";
                        /** @description Whether there is a snapshot to restore. */
                        hasSnapshot: boolean;
                        /** @description State and times of the sandbox. */
                        lifecycle: {
                            /** @description Time of the server, in milliseconds since 1970. */
                            serverTime: number;
                            /** @description State of the resource. */
                            state: string | null;
                            /** @description Time of the last activity. Numbers are milliseconds since 1970. */
                            lastActivityAt: number | null;
                            /** @description Time at which an idle sandbox hibernates. Numbers are milliseconds since 1970. */
                            hibernateAfter: number | null;
                            /** @description Time at which the sandbox ends. Numbers are milliseconds since 1970. */
                            sandboxExpiresAt: number | null;
                        };
                    } | {
                        /** @description Always `connected`. */
                        status: "connected";
                        /** @description Time of expiry; null if there is none. Numbers are milliseconds since 1970. */
                        expiresAt?: number;
                        /** @description Whether there is a snapshot to restore. */
                        hasSnapshot: boolean;
                        /** @description State and times of the sandbox. */
                        lifecycle: {
                            /** @description Time of the server, in milliseconds since 1970. */
                            serverTime: number;
                            /** @description State of the resource. */
                            state: string | null;
                            /** @description Time of the last activity. Numbers are milliseconds since 1970. */
                            lastActivityAt: number | null;
                            /** @description Time at which an idle sandbox hibernates. Numbers are milliseconds since 1970. */
                            hibernateAfter: number | null;
                            /** @description Time at which the sandbox ends. Numbers are milliseconds since 1970. */
                            sandboxExpiresAt: number | null;
                        };
                    } | {
                        /** @description Always `expired`. */
                        status: "expired";
                        /** @description Whether there is a snapshot to restore. */
                        hasSnapshot: boolean;
                        /** @description State and times of the sandbox. */
                        lifecycle: {
                            /** @description Time of the server, in milliseconds since 1970. */
                            serverTime: number;
                            /** @description State of the resource. */
                            state: string | null;
                            /** @description Time of the last activity. Numbers are milliseconds since 1970. */
                            lastActivityAt: number | null;
                            /** @description Time at which an idle sandbox hibernates. Numbers are milliseconds since 1970. */
                            hibernateAfter: number | null;
                            /** @description Time at which the sandbox ends. Numbers are milliseconds since 1970. */
                            sandboxExpiresAt: number | null;
                        };
                    };
                };
            };
            400: components["responses"]["SandboxInvalidRequest"];
            401: components["responses"]["SandboxUnauthorized"];
            403: components["responses"]["SandboxForbidden"];
            404: components["responses"]["SandboxNotFound"];
            429: components["responses"]["SandboxRateLimited"];
            500: components["responses"]["SandboxInternal"];
            503: components["responses"]["SandboxUnavailable"];
        };
    };
    postSandboxActivity: {
        parameters: NoParameters;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sessionId": "5d4c3b2a-1f0e-4d9c-8b7a-6f5e4d3c2b1a"
                 *     }
                 */
                "application/json": {
                    /** @description Id of the session. */
                    sessionId: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `true`. */
                        success: true;
                        /** @description Time of the last activity. Numbers are milliseconds since 1970. */
                        lastActivityAt: number;
                        /** @description Time at which an idle sandbox hibernates. Numbers are milliseconds since 1970. */
                        hibernateAfter: number;
                    };
                };
            };
            400: components["responses"]["SandboxInvalidRequestSandboxNotInitialized"];
            401: components["responses"]["SandboxUnauthorized"];
            403: components["responses"]["SandboxForbidden"];
            404: components["responses"]["SandboxNotFound"];
            408: components["responses"]["SandboxRequestTimeout"];
            413: components["responses"]["SandboxPayloadTooLarge"];
            415: components["responses"]["SandboxUnsupportedMediaType"];
            429: components["responses"]["SandboxRateLimited"];
            500: components["responses"]["SandboxInternal"];
            503: components["responses"]["SandboxUnavailable"];
        };
    };
    postSandboxExtend: {
        parameters: NoParameters;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sessionId": "5d4c3b2a-1f0e-4d9c-8b7a-6f5e4d3c2b1a"
                 *     }
                 */
                "application/json": {
                    /** @description Id of the session. */
                    sessionId: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `true`. */
                        success: true;
                        /** @description Time of expiry; null if there is none. Numbers are milliseconds since 1970. */
                        expiresAt: number;
                        /** @description Milliseconds by which the lifetime of the sandbox was extended. */
                        extendedByMs: number;
                    };
                };
            };
            400: components["responses"]["SandboxInvalidRequestSandboxNotInitialized"];
            401: components["responses"]["SandboxUnauthorized"];
            403: components["responses"]["SandboxForbidden"];
            404: components["responses"]["SandboxNotFound"];
            408: components["responses"]["SandboxRequestTimeout"];
            413: components["responses"]["SandboxPayloadTooLarge"];
            415: components["responses"]["SandboxUnsupportedMediaType"];
            429: components["responses"]["SandboxRateLimited"];
            500: components["responses"]["SandboxInternal"];
            502: components["responses"]["SandboxBadGateway"];
            503: components["responses"]["SandboxUnavailable"];
        };
    };
    postChat: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sessionId": "5d4c3b2a-1f0e-4d9c-8b7a-6f5e4d3c2b1a",
                 *       "chatId": "3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42",
                 *       "messages": [
                 *         {
                 *           "id": "m1",
                 *           "role": "user",
                 *           "parts": [
                 *             {
                 *               "type": "text",
                 *               "text": "Plan a tour of five cities."
                 *             }
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description The messages, oldest first. */
                    messages: {
                        /** @description Id of the resource. */
                        id: string;
                        /**
                         * @description Author of the message.
                         * @enum {string}
                         */
                        role: "user" | "assistant" | "system";
                        /** @description Text of the message, in place of `parts`. */
                        content?: string;
                        /** @description Parts of the message. */
                        parts?: ({
                            /** @description Type of the entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description Metadata, as it was sent or recorded. */
                        metadata?: {
                            [key: string]: unknown;
                        };
                    }[];
                    /** @description Id of the chat. Format: uuid. */
                    chatId: string;
                    /** @description Id of the session. Format: uuid. */
                    sessionId: string;
                    /**
                     * @description What happens to the message if the chat has a live run. Default: reject.
                     * @enum {string}
                     */
                    onBusy?: "reject" | "queue" | "interrupt" | "steer";
                    /** @description Overrides for this turn. */
                    context?: {
                        /** @description Tokens of the context window that the turn may use. */
                        contextLimit: number;
                    };
                    /**
                     * @description Whether a new message is sent or the last response is regenerated.
                     * @enum {string}
                     */
                    trigger?: "submit-message" | "regenerate-message";
                    /** @description Id of the message. */
                    messageId?: string;
                    /** @description Id of the message that this one replaces in a new branch. */
                    editOf?: string;
                    /** @description Whether the files are restored to the state before the edited message. */
                    restoreFiles?: boolean;
                };
            };
        };
        responses: {
            /** @description UI message parts, one event each, then `[DONE]` */
            200: {
                content: {
                    "text/event-stream": {
                        /** @description Index of the frame. */
                        id?: string;
                        /** @description Never sent; clients assume this default. */
                        event?: "message";
                        /**
                         * @description A frame: a JSON object with a `type`. After the frame of type `finish`, `[DONE]` is sent once.
                         * @example {"type":"text-delta","id":"txt_0_1_0","delta":"Hello"}
                         * @example [DONE]
                         */
                        data: string;
                    };
                };
            };
            202: {
                content: {
                    "application/json": {
                        /** @description The queued message. */
                        queued: {
                            /** @description Id of the resource. */
                            id: string;
                            /** @description Position in the queue, from 1. Format: int64. */
                            position: number;
                        };
                    };
                };
            };
            400: components["responses"]["E2InvalidRequestSandboxNotInitialized"];
            401: components["responses"]["E2Unauthorized"];
            402: components["responses"]["E2InsufficientCredits"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            422: components["responses"]["E2IdempotencyMismatch"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getChatByChatIdStream: {
        parameters: Only<{
            query?: {
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
                /** @description Index of the first frame to send. */
                startIndex?: number;
                /** @description Id of the run. */
                runId?: string;
            };
            header?: {
                /** @description Index of the last frame received: the stream continues after it. Takes precedence over `startIndex`. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description Id of the chat. */
                chatId: string;
            };
        }>;
        responses: {
            /** @description The frames from the start index until the end of the run, then `[DONE]`. */
            200: {
                content: {
                    "text/event-stream": {
                        /** @description Index of the frame. */
                        id?: string;
                        /** @description Never sent; clients assume this default. */
                        event?: "message";
                        /**
                         * @description A frame: a JSON object with a `type`. After the frame of type `finish`, `[DONE]` is sent once.
                         * @example {"type":"text-delta","id":"txt_0_1_0","delta":"Hello"}
                         * @example [DONE]
                         */
                        data: string;
                    };
                };
            };
            /** @description The chat has no live run. */
            204: {
                content?: never;
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            502: components["responses"]["E2BadGateway"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postChatByChatIdStop: {
        parameters: Only<{
            query?: {
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
            };
            path: {
                /** @description Id of the chat. */
                chatId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `true`. */
                        success: true;
                        /** @description Whether a live run was stopped. */
                        stopped: boolean;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            502: components["responses"]["E2BadGateway"];
            503: components["responses"]["E2Unavailable"];
            504: components["responses"]["E2Timeout"];
        };
    };
    postChatRuns: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "prompt": "Summarize the messages about the tour."
                 *     }
                 */
                "application/json": {
                    /** @description Text of the prompt. */
                    prompt?: string;
                    /** @description The messages, oldest first. */
                    messages?: {
                        /** @description Id of the resource. */
                        id: string;
                        /**
                         * @description Author of the message.
                         * @enum {string}
                         */
                        role: "user" | "assistant" | "system";
                        /** @description Text of the message, in place of `parts`. */
                        content?: string;
                        /** @description Parts of the message. */
                        parts?: ({
                            /** @description Type of the entry. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description Metadata, as it was sent or recorded. */
                        metadata?: {
                            [key: string]: unknown;
                        };
                    }[];
                    /** @description Id of the artist. Format: uuid. */
                    artistId?: string;
                    /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                    accountId?: string;
                    /** @description Id of the organization. Format: uuid. */
                    organizationId?: string;
                    /** @description Id of the model. */
                    model?: string;
                    /** @description Display title. */
                    title?: string;
                    /** @description Id of the chat. Format: uuid. */
                    chatId?: string;
                    /**
                     * @description What happens to the message if the chat has a live run. Default: reject.
                     * @enum {string}
                     */
                    onBusy?: "reject" | "queue" | "interrupt" | "steer";
                    approvals?: components["schemas"]["Approvals"];
                };
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": {
                        /** @description Id of the run. */
                        runId: string;
                        /** @description Id of the chat. Format: uuid. */
                        chatId: string;
                        /** @description Id of the session. Format: uuid. */
                        sessionId: string;
                    } | {
                        /** @description The queued message. */
                        queued: {
                            /** @description Id of the resource. */
                            id: string;
                            /** @description Position in the queue, from 1. Format: int64. */
                            position: number;
                        };
                        /** @description Id of the chat. Format: uuid. */
                        chatId: string;
                        /** @description Id of the session. Format: uuid. */
                        sessionId: string;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            402: components["responses"]["E2InsufficientCredits"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            422: components["responses"]["E2IdempotencyMismatch"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getChatRunsByRunId: {
        parameters: Only<{
            path: {
                /** @description Id of the run. */
                runId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Id of the run. */
                        runId: string;
                        /**
                         * @description State of the resource.
                         * @enum {string}
                         */
                        status: "queued" | "running" | "completed" | "failed" | "cancelled";
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getChatByChatIdQueue: {
        parameters: Only<{
            query?: {
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
                /** @description The `nextAfter` of the previous page. Omit it for the first page. */
                after?: string;
            };
            path: {
                /** @description Id of the chat. */
                chatId: string;
            };
        }>;
        responses: {
            200: {
                content: { "application/json": components["schemas"]["ChatQueue"]; };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    deleteChatByChatIdQueue: {
        parameters: Only<{
            query?: {
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
            };
            path: {
                /** @description Id of the chat. */
                chatId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `true`. */
                        success: true;
                        /** @description Number of songs that were removed. Format: int64. */
                        removed: number;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getChatByChatIdQueueByQueueId: {
        parameters: Only<{
            query?: {
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
            };
            path: {
                /** @description Id of the chat. */
                chatId: string;
                /** @description Id of the message in the queue. */
                queueId: string;
            };
        }>;
        responses: {
            200: {
                content: { "application/json": components["schemas"]["QueueEntry"]; };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    deleteChatByChatIdQueueByQueueId: {
        parameters: Only<{
            query?: {
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
            };
            path: {
                /** @description Id of the chat. */
                chatId: string;
                /** @description Id of the message in the queue. */
                queueId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `true`. */
                        success: true;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    patchChatByChatIdQueueByQueueId: {
        parameters: Only<{
            query?: {
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
            };
            path: {
                /** @description Id of the chat. */
                chatId: string;
                /** @description Id of the message in the queue. */
                queueId: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "position": 1
                 *     }
                 */
                "application/json": {
                    /** @description The text. */
                    text?: string;
                    /** @description Position in the queue, from 1. */
                    position?: number;
                };
            };
        };
        responses: {
            200: {
                content: { "application/json": components["schemas"]["QueueEntry"]; };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postChatByChatIdQueueHold: {
        parameters: Only<{
            query?: {
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
            };
            path: {
                /** @description Id of the chat. */
                chatId: string;
            };
        }>;
        responses: {
            200: {
                content: { "application/json": components["schemas"]["ChatQueue"]; };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postChatByChatIdQueueResume: {
        parameters: Only<{
            query?: {
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
            };
            path: {
                /** @description Id of the chat. */
                chatId: string;
            };
        }>;
        responses: {
            200: {
                content: { "application/json": components["schemas"]["ChatQueue"]; };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postChatByChatIdCompact: {
        parameters: Only<{
            query?: {
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
            };
            path: {
                /** @description Id of the chat. */
                chatId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        summary: components["schemas"]["ChatSummary"];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            402: components["responses"]["E2InsufficientCredits"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            502: components["responses"]["E2BadGateway"];
            503: components["responses"]["E2Unavailable"];
            504: components["responses"]["E2Timeout"];
        };
    };
    getChatByChatIdSummaries: {
        parameters: Only<{
            query?: {
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
            };
            path: {
                /** @description Id of the chat. */
                chatId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Summaries of earlier turns. */
                        summaries: components["schemas"]["ChatSummary"][];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getAiModels: {
        parameters: NoParameters;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The models. */
                        models: components["schemas"]["OfferedModel"][];
                        /** @description Whether other model ids are also accepted. */
                        anyModel: boolean;
                    };
                };
            };
            401: components["responses"]["E2Unauthorized"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getSandboxes: {
        parameters: Only<{
            query?: {
                /** @description Id of the sandbox. */
                sandbox_id?: string;
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of items to skip. */
                offset?: number;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The sandboxes. */
                        sandboxes: {
                            /** @description Id of the sandbox. */
                            sandboxId: string;
                            /**
                             * @description State of the sandbox.
                             * @enum {string}
                             */
                            sandboxStatus: "pending" | "running" | "stopping" | "stopped" | "failed" | "aborted" | "snapshotting";
                            /** @description Lifetime of the sandbox in milliseconds. Format: int64. */
                            timeout: number;
                            /** @description Time of creation. Numbers are milliseconds since 1970. Format: date-time. */
                            createdAt: string;
                        }[];
                        /** @description Id of the snapshot. */
                        snapshot_id: string | null;
                        /** @description URL of the source repository. */
                        github_repo: string | null;
                        /** @description Files of the source repository; null when they cannot be read. */
                        filetree: {
                            /** @description Path from the root of the repository. */
                            path: string;
                            /**
                             * @description Type of the entry.
                             * @enum {string}
                             */
                            type: "blob" | "tree";
                            /** @description Id of the git object. */
                            sha: string;
                            /** @description Size in bytes. Format: int64. */
                            size?: number;
                        }[] | null;
                        /** @description Always `true`. */
                        filetree_truncated?: true;
                    };
                };
            };
            400: components["responses"]["SandboxInvalidRequest"];
            401: components["responses"]["SandboxUnauthorized"];
            403: components["responses"]["SandboxForbidden"];
            429: components["responses"]["SandboxRateLimited"];
            500: components["responses"]["SandboxInternal"];
            503: components["responses"]["SandboxUnavailable"];
        };
    };
    deleteSandboxes: {
        parameters: NoParameters;
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "account_id": "3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42"
                 *     }
                 */
                "application/json": {
                    /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                    account_id?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The deleted snapshot record; null when there was none. */
                        deleted_snapshot: components["schemas"]["SnapshotRecord"] | null;
                    };
                };
            };
            /** @description The request is malformed or a field is invalid. */
            400: {
                content: {
                    "application/json": {
                        /** @description Always `error`. */
                        status: "error";
                        /** @description Description of the error, for the user. */
                        error: string;
                        /** @description Path of the first invalid field. Only in validation errors. */
                        missing_fields?: (string | number)[];
                        /** @description Only in a 500. */
                        request_id?: string;
                        /** @description Always null in an error. */
                        deleted_snapshot: {
                            [key: string]: unknown;
                        } | null;
                    };
                };
            };
            401: components["responses"]["SandboxUnauthorized"];
            403: components["responses"]["SandboxForbidden"];
            408: components["responses"]["SandboxRequestTimeout"];
            413: components["responses"]["SandboxPayloadTooLarge"];
            415: components["responses"]["SandboxUnsupportedMediaType"];
            429: components["responses"]["SandboxRateLimited"];
            500: components["responses"]["SandboxInternal"];
            503: components["responses"]["SandboxUnavailable"];
        };
    };
    postSandboxesSetup: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "account_id": "3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42"
                 *     }
                 */
                "application/json": {
                    /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                    account_id?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description Id of the run. */
                        runId: string;
                    };
                };
            };
            400: components["responses"]["SandboxInvalidRequest"];
            401: components["responses"]["SandboxUnauthorized"];
            403: components["responses"]["SandboxForbidden"];
            408: components["responses"]["SandboxRequestTimeout"];
            409: components["responses"]["SandboxConflict"];
            413: components["responses"]["SandboxPayloadTooLarge"];
            415: components["responses"]["SandboxUnsupportedMediaType"];
            422: components["responses"]["SandboxIdempotencyMismatch"];
            429: components["responses"]["SandboxRateLimited"];
            500: components["responses"]["SandboxInternal"];
            503: components["responses"]["SandboxUnavailable"];
        };
    };
    postSandboxesStagedFile: {
        parameters: NoParameters;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "blob.generate-client-token",
                 *       "payload": {
                 *         "pathname": "cover.png",
                 *         "clientPayload": null,
                 *         "multipart": false
                 *       }
                 *     }
                 */
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["PlainInvalidRequest"];
            401: components["responses"]["PlainUnauthorized"];
            408: components["responses"]["PlainRequestTimeout"];
            413: components["responses"]["PlainPayloadTooLarge"];
            415: components["responses"]["PlainUnsupportedMediaType"];
            429: components["responses"]["PlainRateLimited"];
            500: components["responses"]["PlainInternalNotDone"];
            503: components["responses"]["PlainUnavailable"];
        };
    };
    postSandboxesFiles: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "files": [
                 *         {
                 *           "url": "https://files.example.com/staged/cover.png",
                 *           "name": "cover.png"
                 *         }
                 *       ],
                 *       "path": "images",
                 *       "message": "Add the cover"
                 *     }
                 */
                "application/json": {
                    /** @description The files. */
                    files: {
                        /** @description URL of the resource. */
                        url: string;
                        /** @description Display name. */
                        name: string;
                    }[];
                    /**
                     * @description Path from the root of the repository.
                     * @default
                     */
                    path?: string;
                    /** @description Human-readable message. */
                    message?: string;
                    /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                    account_id?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Paths that were written. */
                        uploaded: {
                            /** @description Path from the root of the repository. */
                            path: string;
                            /** @description Id of the git object. */
                            sha: string;
                        }[];
                        /** @description Failed items, one sentence each. */
                        errors?: string[];
                        /** @description Always `success`. */
                        status: "success";
                    };
                };
            };
            400: components["responses"]["SandboxInvalidRequest"];
            401: components["responses"]["SandboxUnauthorized"];
            403: components["responses"]["SandboxForbidden"];
            404: components["responses"]["SandboxNotFound"];
            408: components["responses"]["SandboxRequestTimeout"];
            409: components["responses"]["SandboxConflict"];
            413: components["responses"]["SandboxPayloadTooLarge"];
            415: components["responses"]["SandboxUnsupportedMediaType"];
            422: components["responses"]["SandboxIdempotencyMismatch"];
            429: components["responses"]["SandboxRateLimited"];
            500: components["responses"]["SandboxInternalNotDone"];
            503: components["responses"]["SandboxUnavailable"];
            504: components["responses"]["SandboxTimeout"];
        };
    };
    getSandboxesFile: {
        parameters: Only<{
            query: {
                /** @description Path from the root of the repository. */
                path: string;
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description Text of the message, in place of `parts`. */
                        content: string;
                        /** @description Always `base64`. */
                        encoding?: "base64";
                    };
                };
            };
            400: components["responses"]["SandboxInvalidRequest"];
            401: components["responses"]["SandboxUnauthorized"];
            403: components["responses"]["SandboxForbidden"];
            404: components["responses"]["SandboxNotFound"];
            413: components["responses"]["SandboxPayloadTooLarge"];
            429: components["responses"]["SandboxRateLimited"];
            500: components["responses"]["SandboxInternal"];
            503: components["responses"]["SandboxUnavailable"];
        };
    };
    getTasks: {
        parameters: Only<{
            query?: {
                /** @description Id of the resource in the path. */
                id?: string;
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
                /** @description Returns only items of this artist. */
                artist_account_id?: string;
                /** @description Only tasks that are enabled, or only those that are not. */
                enabled?: "true" | "false";
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of items to skip. */
                offset?: number;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The tasks. */
                        tasks: components["schemas"]["Task"][];
                        /** @description Offset of the next page. Present if this page ends before its limit because it has reached 4 MB. Format: int64. */
                        next_offset?: number;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postTasks: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Weekly numbers",
                 *       "prompt": "Email me this week's streams.",
                 *       "schedule": "0 9 * * 1",
                 *       "timezone": "Europe/Berlin",
                 *       "artist_account_id": "9b2d7c10-8e43-4f6a-b1c5-7e0f9d3a2c68"
                 *     }
                 */
                "application/json": {
                    /** @description Display title. */
                    title: string;
                    /** @description Text of the prompt. */
                    prompt: string;
                    /** @description Cron expression of five fields. */
                    schedule: string;
                    /** @description Id of the artist. Format: uuid. */
                    artist_account_id: string;
                    /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                    account_id?: string;
                    /** @description Id of the model. */
                    model?: string;
                    /**
                     * @description IANA time zone of the schedule.
                     * @default UTC
                     */
                    timezone?: string;
                    approvals?: components["schemas"]["Approvals"];
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The tasks. */
                        tasks: components["schemas"]["Task"][];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            402: components["responses"]["E2PlanLimit"];
            403: components["responses"]["E2Forbidden"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            422: components["responses"]["E2IdempotencyMismatch"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    deleteTasks: {
        parameters: NoParameters;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42"
                 *     }
                 */
                "application/json": {
                    /** @description Id of the resource. Format: uuid. */
                    id: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    patchTasks: {
        parameters: NoParameters;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42",
                 *       "schedule": "0 9 * * 1",
                 *       "enabled": true
                 *     }
                 */
                "application/json": {
                    /** @description Id of the resource. Format: uuid. */
                    id: string;
                    /** @description Display title. */
                    title?: string;
                    /** @description Text of the prompt. */
                    prompt?: string;
                    /** @description Cron expression of five fields. */
                    schedule?: string;
                    /** @description Id of the model. */
                    model?: string;
                    /** @description IANA time zone of the schedule. */
                    timezone?: string;
                    /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                    account_id?: string;
                    /** @description Id of the artist. Format: uuid. */
                    artist_account_id?: string;
                    /** @description Whether it is active. */
                    enabled?: boolean | null;
                    /** @description Tools whose calls wait for approval. */
                    approvals?: components["schemas"]["Approvals"] | null;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The tasks. */
                        tasks: components["schemas"]["Task"][];
                    };
                };
            };
            400: components["responses"]["TasksInvalidRequest"];
            401: components["responses"]["TasksUnauthorized"];
            402: components["responses"]["TasksPlanLimit"];
            403: components["responses"]["TasksForbidden"];
            404: components["responses"]["TasksNotFound"];
            408: components["responses"]["TasksRequestTimeout"];
            413: components["responses"]["TasksPayloadTooLarge"];
            415: components["responses"]["TasksUnsupportedMediaType"];
            429: components["responses"]["TasksRateLimited"];
            500: components["responses"]["TasksInternal"];
            503: components["responses"]["TasksUnavailable"];
        };
    };
    getTasksById: {
        parameters: Only<{
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        task: components["schemas"]["Task"];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getTasksRuns: {
        parameters: Only<{
            query?: {
                /** @description Id of the run. */
                runId?: string;
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of items to skip. */
                offset?: number;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The runs. */
                        runs: components["schemas"]["TaskRun"][];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postTasksRuns: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42"
                 *     }
                 */
                "application/json": {
                    /** @description Id of the resource. Format: uuid. */
                    id: string;
                };
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description Id of the run. */
                        runId: string;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            422: components["responses"]["E2IdempotencyMismatch"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    deleteTasksRuns: {
        parameters: Only<{
            query: {
                /** @description Id of the run. */
                runId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
            504: components["responses"]["E2Timeout"];
        };
    };
    getRuns: {
        parameters: Only<{
            query?: {
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
                /** @description Only items of this kind. */
                kind?: string;
                /** @description A run id, or words from the title of the job or of the chat. */
                search?: string;
                /** @description Only items with this tag. */
                tag?: string;
                /** @description Id of the checkout session of the payment provider. */
                session_id?: string;
                /** @description Id of the chat. */
                chat_id?: string;
                /** @description Id of the task. */
                task_id?: string;
                /** @description Beginning of the period, included. */
                from?: string;
                /** @description End of the period, excluded. */
                to?: string;
                /** @description Whether runs that other runs started are also listed. */
                children?: "true" | "false";
                /** @description Only items in this state. */
                status?: string;
                /** @description Number of waiting items. */
                waiting?: "true" | "false";
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The runs. */
                        runs: components["schemas"]["ListedRun"][];
                        /** @description Cursor of the next page; null at the end. */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getRunsCounts: {
        parameters: Only<{
            query?: {
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
                /** @description Only items of this kind. */
                kind?: string;
                /** @description A run id, or words from the title of the job or of the chat. */
                search?: string;
                /** @description Only items with this tag. */
                tag?: string;
                /** @description Id of the checkout session of the payment provider. */
                session_id?: string;
                /** @description Id of the chat. */
                chat_id?: string;
                /** @description Id of the task. */
                task_id?: string;
                /** @description Beginning of the period, included. */
                from?: string;
                /** @description End of the period, excluded. */
                to?: string;
                /** @description Whether runs that other runs started are also listed. */
                children?: "true" | "false";
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Number of runs in each state. */
                        counts: {
                            /** @description The queued message. Format: int64. */
                            queued: number;
                            /** @description Number of running items. Format: int64. */
                            running: number;
                            /** @description Number of runs that are being retried. Format: int64. */
                            retrying: number;
                            /** @description Whether the task is complete. Format: int64. */
                            completed: number;
                            /** @description Number of failed runs. Format: int64. */
                            failed: number;
                            /** @description Number of cancelled runs. Format: int64. */
                            cancelled: number;
                        };
                        /** @description Number of waiting items. Format: int64. */
                        waiting: number;
                        /** @description Whether older runs were not counted. */
                        isPartial: boolean;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getRunsByRunIdTimeline: {
        parameters: Only<{
            path: {
                /** @description Id of the run. */
                runId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        run: components["schemas"]["ListedRun"];
                        /** @description The background run; null for a chat turn. */
                        job: {
                            /** @description Input of the run. */
                            payload: unknown;
                            /** @description Output of the call or run. */
                            output: unknown;
                            /** @description Metadata, as it was sent or recorded. */
                            metadata: {
                                [key: string]: unknown;
                            } | null;
                            /** @description Name of the build. */
                            version: string;
                        } | null;
                        /** @description The entries, oldest first. */
                        entries: components["schemas"]["TimelineEntry"][];
                        /** @description Whether entries were left out. */
                        isTruncated: boolean;
                        /** @description Time until which the details are kept. Format: date-time. */
                        keptUntil: string | null;
                        /** @description Whether the details are no longer kept. */
                        isExpired: boolean;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getRunsByRunIdEntriesByEntryId: {
        parameters: Only<{
            query: {
                /** @description Kind of the process. */
                part: "input" | "output" | "reasoning";
                /** @description Number of items to skip. */
                offset?: number;
                /** @description Maximum number of items on the page. */
                limit?: number;
            };
            path: {
                /** @description Id of the run. */
                runId: string;
                /** @description Id of an entry of the timeline of the run. */
                entryId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The text. */
                        text: string | null;
                        /** @description Length of the whole text, in characters. Format: int64. */
                        totalCharacters: number;
                        /** @description Offset of the next page; null at the end. Format: int64. */
                        nextOffset: number | null;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postCreditsSessions: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "credits": 5000000
                 *     }
                 */
                "application/json": {
                    /** @description 1,000,000 credits = 1.00 USD. The fee is 2.9% + 0.30 USD. Format: int64. */
                    credits: number;
                    /** @description `{PAYMENT_ID}` is replaced by the id of the purchase in `GET /api/accounts/{id}/payments`. Format: uri. */
                    successUrl?: string;
                    /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                    accountId?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Id of the payment at the provider. */
                        paymentIntentId: string;
                        /** @description Credits that were bought. Format: int64. */
                        creditsPurchased: number;
                        /** @description Credits and fee, in US cents. Format: int64. */
                        totalCents: number;
                    } | {
                        /** @description Id of the resource. */
                        id: string;
                        /** @description URL of the resource. Format: uri. */
                        url: string;
                        /** @description Reason why the card on file was not charged. */
                        declineReason?: {
                            /** @description Code of the error. */
                            code: string;
                            /** @description Human-readable message. */
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["PlainInvalidRequest"];
            401: components["responses"]["PlainUnauthorized"];
            403: components["responses"]["PlainForbidden"];
            408: components["responses"]["PlainRequestTimeout"];
            409: components["responses"]["PlainConflict"];
            413: components["responses"]["PlainPayloadTooLarge"];
            415: components["responses"]["PlainUnsupportedMediaType"];
            422: components["responses"]["PlainIdempotencyMismatch"];
            429: components["responses"]["PlainRateLimited"];
            500: components["responses"]["PlainInternal"];
            502: components["responses"]["PlainBadGateway"];
            503: components["responses"]["PlainUnavailable"];
        };
    };
    postWebhooksPayments: {
        parameters: NoParameters;
        requestBody: {
            content: { "application/json": unknown; };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `true`. */
                        received: true;
                    };
                };
            };
            400: components["responses"]["PlainInvalidRequest"];
            408: components["responses"]["PlainRequestTimeout"];
            413: components["responses"]["PlainPayloadTooLarge"];
            415: components["responses"]["PlainUnsupportedMediaType"];
            500: components["responses"]["PlainInternal"];
        };
    };
    getAccountsByIdPaymentMethod: {
        parameters: Only<{
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                        account_id: string;
                        /** @description The stored card; null when there is none. */
                        card: {
                            /** @description Brand of the card. */
                            brand: string;
                            /** @description Last four digits of the card. */
                            last4: string;
                            /** @description Month in which the card expires. Format: int64. */
                            exp_month: number;
                            /** @description Year in which the card expires. Format: int64. */
                            exp_year: number;
                            /** @description Kind of the card. */
                            funding: string;
                        } | null;
                    };
                };
            };
            400: components["responses"]["PlainInvalidRequest"];
            401: components["responses"]["PlainUnauthorized"];
            403: components["responses"]["PlainForbidden"];
            429: components["responses"]["PlainRateLimited"];
            500: components["responses"]["PlainInternal"];
            502: components["responses"]["PlainBadGateway"];
            503: components["responses"]["PlainUnavailable"];
        };
    };
    postAccountsByIdPaymentMethod: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    /** @description Page to return to after the payment. Format: uri. */
                    successUrl?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Id of the resource. */
                        id: string;
                        /** @description URL of the resource. Format: uri. */
                        url: string;
                    };
                };
            };
            400: components["responses"]["PlainInvalidRequest"];
            401: components["responses"]["PlainUnauthorized"];
            403: components["responses"]["PlainForbidden"];
            408: components["responses"]["PlainRequestTimeout"];
            409: components["responses"]["PlainConflict"];
            413: components["responses"]["PlainPayloadTooLarge"];
            415: components["responses"]["PlainUnsupportedMediaType"];
            422: components["responses"]["PlainIdempotencyMismatch"];
            429: components["responses"]["PlainRateLimited"];
            500: components["responses"]["PlainInternal"];
            502: components["responses"]["PlainBadGateway"];
            503: components["responses"]["PlainUnavailable"];
        };
    };
    deleteAccountsByIdPaymentMethod: {
        parameters: Only<{
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        responses: {
            /** @description No card is on file. */
            204: {
                content?: never;
            };
            400: components["responses"]["PlainInvalidRequest"];
            401: components["responses"]["PlainUnauthorized"];
            403: components["responses"]["PlainForbidden"];
            408: components["responses"]["PlainRequestTimeout"];
            413: components["responses"]["PlainPayloadTooLarge"];
            415: components["responses"]["PlainUnsupportedMediaType"];
            429: components["responses"]["PlainRateLimited"];
            500: components["responses"]["PlainInternal"];
            502: components["responses"]["PlainBadGateway"];
            503: components["responses"]["PlainUnavailable"];
        };
    };
    postSubscriptionsCardOnFile: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "accountId": "3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42"
                 *     }
                 */
                "application/json": {
                    /** @description Page to return to after the payment. Format: uri. */
                    successUrl?: string;
                    /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                    accountId?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Id of the resource. */
                        id: string;
                        /** @description URL of the resource. Format: uri. */
                        url: string;
                    };
                };
            };
            400: components["responses"]["PlainInvalidRequest"];
            401: components["responses"]["PlainUnauthorized"];
            403: components["responses"]["PlainForbidden"];
            408: components["responses"]["PlainRequestTimeout"];
            409: components["responses"]["PlainConflict"];
            413: components["responses"]["PlainPayloadTooLarge"];
            415: components["responses"]["PlainUnsupportedMediaType"];
            422: components["responses"]["PlainIdempotencyMismatch"];
            429: components["responses"]["PlainRateLimited"];
            500: components["responses"]["PlainInternal"];
            502: components["responses"]["PlainBadGateway"];
            503: components["responses"]["PlainUnavailable"];
        };
    };
    getAccountsByIdPayments: {
        parameters: Only<{
            query?: {
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
            };
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The payments, newest first. */
                        payments: {
                            /** @description Id of the resource. Format: uuid. */
                            id: string;
                            /** @description Amount in US cents. Format: int64. */
                            amount_cents: number;
                            /** @description Number of credits. A credit is a millionth of a US dollar. Format: int64. */
                            credits: number;
                            /**
                             * @description State of the resource.
                             * @enum {string}
                             */
                            state: "created" | "pending" | "paid" | "failed" | "mismatch";
                            /** @description Time of creation. Format: date-time. */
                            created_at: string;
                        }[];
                        /** @description Cursor of the next page; null at the end. */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["PlainInvalidRequest"];
            401: components["responses"]["PlainUnauthorized"];
            403: components["responses"]["PlainForbidden"];
            429: components["responses"]["PlainRateLimited"];
            500: components["responses"]["PlainInternal"];
            503: components["responses"]["PlainUnavailable"];
        };
    };
    getAccountsByIdAutoTopUp: {
        parameters: Only<{
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                        account_id: string;
                        /** @description Whether it is active. */
                        enabled: boolean;
                        /** @description Amount in US cents. Format: int64. */
                        amountCents: number | null;
                        /** @description Balance in US cents below which credits are bought automatically. Format: int64. */
                        thresholdCents: number | null;
                        /** @description Time of the last automatic purchase. Format: date-time. */
                        lastRunAt: string | null;
                        /** @description Why the last automatic purchase failed. */
                        lastError: string | null;
                    };
                };
            };
            400: components["responses"]["PlainInvalidRequest"];
            401: components["responses"]["PlainUnauthorized"];
            403: components["responses"]["PlainForbidden"];
            429: components["responses"]["PlainRateLimited"];
            500: components["responses"]["PlainInternal"];
            503: components["responses"]["PlainUnavailable"];
        };
    };
    putAccountsByIdAutoTopUp: {
        parameters: Only<{
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true,
                 *       "amountCents": 2000,
                 *       "thresholdCents": 500
                 *     }
                 */
                "application/json": {
                    /** @description Whether it is active. */
                    enabled: boolean;
                    /** @description Amount in US cents. */
                    amountCents?: number;
                    /** @description Balance in US cents below which credits are bought automatically. Format: int64. */
                    thresholdCents?: number;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                        account_id: string;
                        /** @description Whether it is active. */
                        enabled: boolean;
                        /** @description Amount in US cents. Format: int64. */
                        amountCents: number | null;
                        /** @description Balance in US cents below which credits are bought automatically. Format: int64. */
                        thresholdCents: number | null;
                        /** @description Time of the last automatic purchase. Format: date-time. */
                        lastRunAt: string | null;
                        /** @description Why the last automatic purchase failed. */
                        lastError: string | null;
                    };
                };
            };
            400: components["responses"]["PlainInvalidRequest"];
            401: components["responses"]["PlainUnauthorized"];
            403: components["responses"]["PlainForbidden"];
            408: components["responses"]["PlainRequestTimeout"];
            413: components["responses"]["PlainPayloadTooLarge"];
            415: components["responses"]["PlainUnsupportedMediaType"];
            429: components["responses"]["PlainRateLimited"];
            500: components["responses"]["PlainInternal"];
            503: components["responses"]["PlainUnavailable"];
        };
    };
    postSubscriptionsPortal: {
        parameters: NoParameters;
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "accountId": "3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42"
                 *     }
                 */
                "application/json": {
                    /** @description Page to return to. Format: uri. */
                    returnUrl?: string;
                    /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                    accountId?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Id of the resource. */
                        id: string;
                        /** @description URL of the resource. Format: uri. */
                        url: string;
                    };
                };
            };
            400: components["responses"]["PlainInvalidRequest"];
            401: components["responses"]["PlainUnauthorized"];
            403: components["responses"]["PlainForbidden"];
            408: components["responses"]["PlainRequestTimeout"];
            413: components["responses"]["PlainPayloadTooLarge"];
            415: components["responses"]["PlainUnsupportedMediaType"];
            429: components["responses"]["PlainRateLimited"];
            500: components["responses"]["PlainInternal"];
            502: components["responses"]["PlainBadGateway"];
            503: components["responses"]["PlainUnavailable"];
        };
    };
    postAccountsByIdPortal: {
        parameters: Only<{
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    /** @description Page to return to. Format: uri. */
                    returnUrl?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Id of the resource. */
                        id: string;
                        /** @description URL of the resource. Format: uri. */
                        url: string;
                    };
                };
            };
            400: components["responses"]["PlainInvalidRequest"];
            401: components["responses"]["PlainUnauthorized"];
            403: components["responses"]["PlainForbidden"];
            408: components["responses"]["PlainRequestTimeout"];
            413: components["responses"]["PlainPayloadTooLarge"];
            415: components["responses"]["PlainUnsupportedMediaType"];
            429: components["responses"]["PlainRateLimited"];
            500: components["responses"]["PlainInternal"];
            502: components["responses"]["PlainBadGateway"];
            503: components["responses"]["PlainUnavailable"];
        };
    };
    postSubscriptionsSessions: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "plan": "starter"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The plan.
                     * @default pro
                     * @enum {string}
                     */
                    plan?: "starter" | "pro";
                    /** @description Page to return to after the payment. Format: uri. */
                    successUrl?: string;
                    /** @description Page to return to when the payment is cancelled. Format: uri. */
                    cancelUrl?: string;
                    /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                    accountId?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Id of the resource. */
                        id: string;
                        /** @description URL of the resource. Format: uri. */
                        url: string;
                    };
                };
            };
            400: components["responses"]["PlainInvalidRequest"];
            401: components["responses"]["PlainUnauthorized"];
            403: components["responses"]["PlainForbidden"];
            408: components["responses"]["PlainRequestTimeout"];
            409: components["responses"]["PlainConflict"];
            413: components["responses"]["PlainPayloadTooLarge"];
            415: components["responses"]["PlainUnsupportedMediaType"];
            422: components["responses"]["PlainIdempotencyMismatch"];
            429: components["responses"]["PlainRateLimited"];
            500: components["responses"]["PlainInternal"];
            502: components["responses"]["PlainBadGateway"];
            503: components["responses"]["PlainUnavailable"];
        };
    };
    postSubscriptionsClaim: {
        parameters: NoParameters;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "session_id": "cs_test_a1b2c3d4e5f6"
                 *     }
                 */
                "application/json": {
                    /** @description Id of the checkout session of the payment provider. */
                    session_id: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description Id of the subscription. */
                        subscription_id: string;
                        /**
                         * @description The plan.
                         * @enum {string}
                         */
                        plan: "starter" | "pro";
                    };
                };
            };
            400: components["responses"]["ClaimInvalidRequest"];
            401: components["responses"]["ClaimUnauthorized"];
            403: components["responses"]["ClaimForbidden"];
            404: components["responses"]["ClaimNotFound"];
            408: components["responses"]["ClaimRequestTimeout"];
            409: components["responses"]["ClaimConflict"];
            413: components["responses"]["ClaimPayloadTooLarge"];
            415: components["responses"]["ClaimUnsupportedMediaType"];
            429: components["responses"]["ClaimRateLimited"];
            500: components["responses"]["ClaimInternal"];
            502: components["responses"]["ClaimBadGateway"];
            503: components["responses"]["ClaimUnavailable"];
        };
    };
    getAccountsByIdSubscription: {
        parameters: Only<{
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Whether the account is on the pro plan. */
                        isPro: boolean;
                        /**
                         * @description State of the resource.
                         * @enum {string}
                         */
                        status: "active" | "trialing" | "past_due" | "canceled" | "none";
                        /**
                         * @description The plan.
                         * @enum {string|null}
                         */
                        plan: "starter" | "pro" | null;
                        /**
                         * @description Origin of the entry.
                         * @enum {string|null}
                         */
                        source: "account" | "organization" | null;
                        /** @description Display name. */
                        name: string | null;
                        /** @description Amount in US cents. Format: int64. */
                        amountCents: number | null;
                        /** @description Currency of the price. */
                        currency: string | null;
                        /** @description Length of a period. */
                        interval: string | null;
                        /** @description End of the paid period. Format: date-time. */
                        currentPeriodEnd: string | null;
                        /** @description Whether the subscription ends with the period. */
                        cancelAtPeriodEnd: boolean | null;
                    };
                };
            };
            400: components["responses"]["PlainInvalidRequest"];
            401: components["responses"]["PlainUnauthorized"];
            403: components["responses"]["PlainForbidden"];
            429: components["responses"]["PlainRateLimited"];
            500: components["responses"]["PlainInternal"];
            503: components["responses"]["PlainUnavailable"];
        };
    };
    getAccountsByIdCredits: {
        parameters: Only<{
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                        account_id: string;
                        /** @description Credits that remain. Format: int64. */
                        remaining_credits: number;
                        /** @description Credits that running work has reserved. Format: int64. */
                        reserved_credits: number;
                        /** @description Credits that the account has. Format: int64. */
                        total_credits: number;
                        /** @description Credits that were used in the period. Format: int64. */
                        used_credits: number;
                        /**
                         * @description The plan.
                         * @enum {string}
                         */
                        plan: "free" | "starter" | "pro";
                        /** @description Whether the account is on the pro plan. */
                        is_pro: boolean;
                        /** @description Time of the last change of the balance. Format: date-time. */
                        timestamp: string | null;
                    };
                };
            };
            400: components["responses"]["PlainInvalidRequest"];
            401: components["responses"]["PlainUnauthorized"];
            403: components["responses"]["PlainForbidden"];
            429: components["responses"]["PlainRateLimited"];
            500: components["responses"]["PlainInternal"];
            503: components["responses"]["PlainUnavailable"];
        };
    };
    getAccountsByIdLedger: {
        parameters: Only<{
            query?: {
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
            };
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                        account_id: string;
                        /** @description The entries, oldest first. */
                        entries: components["schemas"]["LedgerEntry"][];
                        /** @description Cursor of the next page; null at the end. */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["PlainInvalidRequest"];
            401: components["responses"]["PlainUnauthorized"];
            403: components["responses"]["PlainForbidden"];
            429: components["responses"]["PlainRateLimited"];
            500: components["responses"]["PlainInternal"];
            503: components["responses"]["PlainUnavailable"];
        };
    };
    getAccountsByIdUsage: {
        parameters: Only<{
            query?: {
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Order of the items. */
                sort?: "created_at" | "cost";
                /** @description The `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Beginning of the period, included. */
                from?: string;
                /** @description End of the period, excluded. */
                to?: string;
            };
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                        account_id: string;
                        /** @description The period that the figures cover. */
                        period: {
                            /** @description Beginning of the period, included. Format: date-time. */
                            from: string;
                            /** @description End of the period, excluded. Format: date-time. */
                            to: string;
                        };
                        /** @description Sum of the charges in credits. Format: int64. */
                        total_credits_deducted: number;
                        /** @description Sum in US dollars. */
                        total_usd: string;
                        /** @description The events. */
                        events: {
                            /** @description Id of the resource. */
                            id: string;
                            /**
                             * @description Kind of the resource.
                             * @enum {string}
                             */
                            kind: "charge" | "refund";
                            /** @description Number of credits. A credit is a millionth of a US dollar. Format: int64. */
                            credits: number;
                            /** @description The amount in US dollars. */
                            usd: string;
                            /**
                             * @description Origin of the entry.
                             * @enum {string}
                             */
                            source: "web" | "api";
                            /** @description Kind of the agent. */
                            agent_type: string | null;
                            /** @description Provider of the model. */
                            provider: string | null;
                            /** @description Id of the model. */
                            model_id: string | null;
                            /** @description Tokens of the prompt. Format: int64. */
                            input_tokens: number;
                            /** @description Tokens of the prompt that the provider had cached. Format: int64. */
                            cached_input_tokens: number;
                            /** @description Output tokens. Format: int64. */
                            output_tokens: number;
                            /** @description Number of tool calls. Format: int64. */
                            tool_call_count: number;
                            /** @description URL of the charged resource. */
                            resource_url: string | null;
                            /** @description Time of creation. Format: date-time. */
                            created_at: string;
                        }[];
                        /** @description Cursor of the next page; null at the end. */
                        next_cursor: string | null;
                        /**
                         * @description Length of a bucket.
                         * @enum {string}
                         */
                        series_bucket?: "hour" | "day" | "week";
                        /** @description Usage over time. */
                        series?: {
                            /** @description Beginning of the bucket. Format: date-time. */
                            start: string;
                            /** @description Number of credits. A credit is a millionth of a US dollar. Format: int64. */
                            credits: number;
                            /** @description Charges by source, in credits. */
                            by_source: {
                                /** @description Charges of the web app, in credits. Format: int64. */
                                web: number;
                                /** @description Charges of the API, in credits. Format: int64. */
                                api: number;
                            };
                        }[];
                    };
                };
            };
            400: components["responses"]["PlainInvalidRequest"];
            401: components["responses"]["PlainUnauthorized"];
            403: components["responses"]["PlainForbidden"];
            429: components["responses"]["PlainRateLimited"];
            500: components["responses"]["PlainInternal"];
            503: components["responses"]["PlainUnavailable"];
        };
    };
    getAccountsByIdMedia: {
        parameters: Only<{
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                        account_id: string;
                        /** @description Bytes of finished media, including media that is being stored. Format: int64. */
                        used_bytes: number;
                        /** @description Bytes that the plan allows; null for no limit. Format: int64. */
                        quota_bytes: number | null;
                        /**
                         * @description The plan.
                         * @enum {string}
                         */
                        plan: "free" | "starter" | "pro";
                    };
                };
            };
            400: components["responses"]["PlainInvalidRequest"];
            401: components["responses"]["PlainUnauthorized"];
            403: components["responses"]["PlainForbidden"];
            429: components["responses"]["PlainRateLimited"];
            500: components["responses"]["PlainInternal"];
            503: components["responses"]["PlainUnavailable"];
        };
    };
    putBlob: {
        parameters: Only<{
            query: {
                /** @description Path of the file in the store. */
                pathname: string;
            };
        }>;
        requestBody: {
            content: { "application/octet-stream": unknown; };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description URL of the resource. Format: uri. */
                        url: string;
                        /** @description URL that downloads the file. Format: uri. */
                        downloadUrl: string;
                        /** @description Path of the file in the store. */
                        pathname: string;
                        /** @description Media type of the file. */
                        contentType: string;
                        /** @description Content-Disposition of downloads. */
                        contentDisposition: string;
                        /** @description Entity tag of the content. */
                        etag: string;
                    };
                };
            };
            400: components["responses"]["BlobInvalidRequest"];
            403: components["responses"]["BlobForbidden"];
            408: components["responses"]["BlobRequestTimeout"];
            413: components["responses"]["BlobPayloadTooLarge"];
            429: components["responses"]["BlobRateLimited"];
            500: components["responses"]["BlobInternal"];
            503: components["responses"]["BlobUnavailable"];
        };
    };
    postBlobMpu: {
        parameters: Only<{
            query: {
                /** @description Path of the file in the store. */
                pathname: string;
            };
            header: {
                /** @description Step of the multipart upload. */
                "x-mpu-action": "create" | "upload" | "complete";
                /** @description Key from the response to `create`, percent-encoded. */
                "x-mpu-key"?: string;
                /** @description Upload id from the response to `create`. */
                "x-mpu-upload-id"?: string;
                /** @description Number of the part, for `upload`. */
                "x-mpu-part-number"?: number;
            };
        }>;
        requestBody: {
            content: { "application/octet-stream": unknown; };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description URL of the resource. Format: uri. */
                        url: string;
                        /** @description URL that downloads the file. Format: uri. */
                        downloadUrl: string;
                        /** @description Path of the file in the store. */
                        pathname: string;
                        /** @description Media type of the file. */
                        contentType: string;
                        /** @description Content-Disposition of downloads. */
                        contentDisposition: string;
                        /** @description Entity tag of the content. */
                        etag: string;
                    } | {
                        /** @description Id of the upload. */
                        uploadId: string;
                        /** @description The API key. It is returned only once. */
                        key: string;
                    } | {
                        /** @description Entity tag of the content. */
                        etag: string;
                    };
                };
            };
            400: components["responses"]["BlobInvalidRequest"];
            403: components["responses"]["BlobForbidden"];
            404: components["responses"]["BlobNotFound"];
            408: components["responses"]["BlobRequestTimeout"];
            413: components["responses"]["BlobPayloadTooLarge"];
            429: components["responses"]["BlobRateLimited"];
            500: components["responses"]["BlobInternal"];
            503: components["responses"]["BlobUnavailable"];
        };
    };
    getMediaByFolderByName: {
        parameters: Only<{
            header?: {
                /** @description One range: `bytes=0-499`, `bytes=500-`, `bytes=-500`. */
                range?: string;
                /** @description Sends the range only when the entity tag still matches. */
                "if-range"?: string;
                /** @description Returns 304 when the entity tag still matches. */
                "if-none-match"?: string;
                /** @description Returns 304 when the file has not changed since. */
                "if-modified-since"?: string;
            };
            path: {
                /** @description Folder of the file. */
                folder: string;
                /** @description Name of the file. */
                name: string;
            };
        }>;
        responses: {
            /** @description The file. */
            200: {
                content: { "*/*": string; };
            };
            /** @description The byte range that Content-Range states. */
            206: {
                content: { "*/*": string; };
            };
            /** @description The client's copy is current. */
            304: {
                content?: never;
            };
            400: components["responses"]["PlainInvalidRequest"];
            404: components["responses"]["PlainNotFound"];
            /** @description The range starts after the end of the file. */
            416: {
                content?: never;
            };
            500: components["responses"]["PlainInternal"];
        };
    };
    getMusic: {
        parameters: Only<{
            query?: {
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
                /** @description Only items in this state. */
                status?: "pending" | "processing" | "completed" | "failed";
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of items to skip. */
                offset?: number;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The generations. */
                        generations: components["schemas"]["MusicGeneration"][];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postMusic: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "prompt": "warm house with a piano",
                 *       "lyrics": "Hold the line until the morning",
                 *       "duration": 30
                 *     }
                 */
                "application/json": {
                    /** @description Text of the prompt. */
                    prompt: string;
                    /** @description Lyrics of the song. */
                    lyrics: string;
                    /**
                     * @description Length in seconds.
                     * @default 60
                     */
                    duration?: number;
                    /** @description Seed of the renderer: the same seed gives the same track. */
                    seed?: number;
                    /**
                     * @description Number of steps of the renderer.
                     * @default 30
                     */
                    num_inference_steps?: number;
                    /**
                     * @description How closely the track follows the prompt.
                     * @default 1.7
                     */
                    guidance_scale?: number;
                    /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                    account_id?: string;
                };
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        generation: components["schemas"]["MusicGeneration"];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            402: components["responses"]["E2InsufficientCreditsPlanLimit"];
            403: components["responses"]["E2Forbidden"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            422: components["responses"]["E2IdempotencyMismatch"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getMusicByGenerationId: {
        parameters: Only<{
            path: {
                /** @description Id of the generation. */
                generationId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        generation: components["schemas"]["MusicGeneration"];
                        /** @description Log lines of the renderer. */
                        logs: {
                            /** @description Time of the event. Format: date-time. */
                            at: string;
                            /** @description Human-readable message. */
                            message: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    deleteMusicByGenerationId: {
        parameters: Only<{
            path: {
                /** @description Id of the generation. */
                generationId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postWebhooksRenders: {
        parameters: NoParameters;
        requestBody: {
            content: { "application/json": unknown; };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description Always `true`. */
                        ignored?: true;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            500: components["responses"]["E2Internal"];
        };
    };
    getContentTemplates: {
        parameters: NoParameters;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The templates. */
                        templates: {
                            /** @description Display name. */
                            name: string;
                            /** @description Description, as shown to users. */
                            description: string;
                        }[];
                    };
                };
            };
            401: components["responses"]["E2Unauthorized"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postContentCreate: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "artist_account_id": "9b2d7c10-8e43-4f6a-b1c5-7e0f9d3a2c68",
                 *       "template": "artist-caption-stage",
                 *       "caption_length": "short",
                 *       "batch": 2
                 *     }
                 */
                "application/json": {
                    /** @description Id of the artist. Format: uuid. */
                    artist_account_id: string;
                    /**
                     * @description The template.
                     * @default artist-caption-bedroom
                     * @enum {string}
                     */
                    template?: "artist-caption-bedroom" | "artist-caption-outside" | "artist-caption-stage" | "album-record-store" | "artist-release-editorial";
                    /**
                     * @description Whether the lips are synchronized with the song.
                     * @default false
                     */
                    lipsync?: boolean;
                    /**
                     * @description Whether the video is upscaled.
                     * @default false
                     */
                    upscale?: boolean;
                    /**
                     * @description Length of the caption.
                     * @default none
                     * @enum {string}
                     */
                    caption_length?: "none" | "short" | "medium" | "long";
                    /**
                     * @description Number of videos.
                     * @default 1
                     */
                    batch?: number;
                    /** @description The songs. */
                    songs?: string[];
                    /** @description URLs of images. */
                    images?: string[];
                    /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                    account_id?: string;
                };
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": {
                        /** @description Ids of the runs. */
                        runIds: string[];
                        /** @description Always `triggered`. */
                        status: "triggered";
                        /** @description Id of the artist. Format: uuid. */
                        artist_account_id: string;
                        /** @description The template. */
                        template: string;
                        /** @description Whether the lips are synchronized with the song. */
                        lipsync: boolean;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            402: components["responses"]["E2InsufficientCreditsPlanLimit"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            422: components["responses"]["E2IdempotencyMismatch"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getContentVideos: {
        parameters: Only<{
            query?: {
                /** @description Account to act for. Default: the caller. */
                account_id?: string;
                /** @description Returns only items of this artist. */
                artist_account_id?: string;
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The videos. */
                        videos: components["schemas"]["ContentVideo"][];
                        /** @description Cursor of the next page; null at the end. */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getContentVideosByRunId: {
        parameters: Only<{
            path: {
                /** @description Id of the run. */
                runId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        video: components["schemas"]["ContentVideo"];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    deleteContentVideosByRunId: {
        parameters: Only<{
            path: {
                /** @description Id of the run. */
                runId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postContentAgentCallback: {
        parameters: Only<{
            header?: {
                /** @description Secret of the callback. */
                "x-callback-secret"?: string;
            };
        }>;
        requestBody: {
            content: { "application/json": unknown; };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description State of the resource. */
                        status: string;
                        /** @description Always `true`. */
                        skipped?: true;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            /** @description The secret is missing or wrong. */
            401: {
                content?: never;
            };
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            500: components["responses"]["E2Internal"];
        };
    };
    postContentAgentByPlatform: {
        parameters: Only<{
            path: {
                /** @description Name of the platform. */
                platform: string;
            };
        }>;
        requestBody: {
            content: { "application/json": unknown; };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Whether the request succeeded. */
                        ok: boolean;
                        /** @description The challenge of the request. */
                        challenge?: string;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            /** @description No such platform. */
            404: {
                content?: never;
            };
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getAgentsTemplates: {
        parameters: Only<{
            query?: {
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of items to skip. */
                offset?: number;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The templates. */
                        templates: {
                            /** @description Id of the resource. Format: uuid. */
                            id: string;
                            /** @description Display title. */
                            title: string;
                            /** @description Description, as shown to users. */
                            description: string;
                            /** @description Text of the prompt. */
                            prompt: string;
                            /** @description Tags. */
                            tags: string[];
                            /** @description Null if the account was deleted. */
                            creator: {
                                /** @description Id of the resource. Format: uuid. */
                                id: string;
                                /** @description Display name. */
                                name: string | null;
                                /** @description URL of an image. */
                                image: string | null;
                                /** @description Whether the creator is marked as an administrator of the platform. */
                                is_admin: boolean;
                            } | null;
                            /** @description Whether the template is visible only to its owner and to accounts that it is shared with. */
                            is_private: boolean;
                            /** @description Whether it is a favorite of the caller. */
                            is_favourite: boolean;
                            /** @description Number of accounts that marked the template as a favorite. Format: int64. */
                            favorites_count: number;
                            /** @description Only for the owner of a private template; otherwise empty. */
                            shared_emails: string[];
                            /** @description Time of creation. Format: date-time. */
                            created_at: string;
                            /** @description Null until the first change. Format: date-time. */
                            updated_at: string | null;
                        }[];
                        /** @description Position of this page in the list. */
                        pagination: {
                            /** @description Number of items in the whole list. Format: int64. */
                            total_count: number;
                            /** @description Maximum number of items on the page. Format: int64. */
                            limit: number;
                            /** @description Number of items to skip. Format: int64. */
                            offset: number;
                            /** @description Offset of the next page. Present if this page ends before its limit because it has reached 4 MB. Format: int64. */
                            next_offset?: number;
                        };
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postAgentsTemplates: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Weekly report",
                 *       "description": "What happened on all platforms this week.",
                 *       "prompt": "Sum up what happened on all platforms this week, in five lines.",
                 *       "tags": [
                 *         "report"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Display title. */
                    title: string;
                    /** @description Description, as shown to users. */
                    description: string;
                    /** @description Text of the prompt. */
                    prompt: string;
                    /** @description Tags. */
                    tags?: string[];
                    /**
                     * @description Whether the template is visible only to its owner and to accounts that it is shared with.
                     * @default false
                     */
                    is_private?: boolean;
                    /** @description Email addresses whose accounts can see a private template. Replaces the list. Ignored for a public template. */
                    share_emails?: string[];
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The template. */
                        template: {
                            /** @description Id of the resource. Format: uuid. */
                            id: string;
                            /** @description Display title. */
                            title: string;
                            /** @description Description, as shown to users. */
                            description: string;
                            /** @description Text of the prompt. */
                            prompt: string;
                            /** @description Tags. */
                            tags: string[];
                            /** @description Null if the account was deleted. */
                            creator: {
                                /** @description Id of the resource. Format: uuid. */
                                id: string;
                                /** @description Display name. */
                                name: string | null;
                                /** @description URL of an image. */
                                image: string | null;
                                /** @description Whether the creator is marked as an administrator of the platform. */
                                is_admin: boolean;
                            } | null;
                            /** @description Whether the template is visible only to its owner and to accounts that it is shared with. */
                            is_private: boolean;
                            /** @description Whether it is a favorite of the caller. */
                            is_favourite: boolean;
                            /** @description Number of accounts that marked the template as a favorite. Format: int64. */
                            favorites_count: number;
                            /** @description Only for the owner of a private template; otherwise empty. */
                            shared_emails: string[];
                            /** @description Time of creation. Format: date-time. */
                            created_at: string;
                            /** @description Null until the first change. Format: date-time. */
                            updated_at: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            422: components["responses"]["E2IdempotencyMismatch"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getAgentsTemplatesById: {
        parameters: Only<{
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The template. */
                        template: {
                            /** @description Id of the resource. Format: uuid. */
                            id: string;
                            /** @description Display title. */
                            title: string;
                            /** @description Description, as shown to users. */
                            description: string;
                            /** @description Text of the prompt. */
                            prompt: string;
                            /** @description Tags. */
                            tags: string[];
                            /** @description Null if the account was deleted. */
                            creator: {
                                /** @description Id of the resource. Format: uuid. */
                                id: string;
                                /** @description Display name. */
                                name: string | null;
                                /** @description URL of an image. */
                                image: string | null;
                                /** @description Whether the creator is marked as an administrator of the platform. */
                                is_admin: boolean;
                            } | null;
                            /** @description Whether the template is visible only to its owner and to accounts that it is shared with. */
                            is_private: boolean;
                            /** @description Whether it is a favorite of the caller. */
                            is_favourite: boolean;
                            /** @description Number of accounts that marked the template as a favorite. Format: int64. */
                            favorites_count: number;
                            /** @description Only for the owner of a private template; otherwise empty. */
                            shared_emails: string[];
                            /** @description Time of creation. Format: date-time. */
                            created_at: string;
                            /** @description Null until the first change. Format: date-time. */
                            updated_at: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    deleteAgentsTemplatesById: {
        parameters: Only<{
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    patchAgentsTemplatesById: {
        parameters: Only<{
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "is_private": true,
                 *       "share_emails": [
                 *         "grace@example.com"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Display title. */
                    title?: string;
                    /** @description Description, as shown to users. */
                    description?: string;
                    /** @description Text of the prompt. */
                    prompt?: string;
                    /** @description Tags. */
                    tags?: string[];
                    /** @description Whether the template is visible only to its owner and to accounts that it is shared with. */
                    is_private?: boolean;
                    /** @description Email addresses whose accounts can see a private template. Replaces the list. Ignored for a public template. */
                    share_emails?: string[];
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The template. */
                        template: {
                            /** @description Id of the resource. Format: uuid. */
                            id: string;
                            /** @description Display title. */
                            title: string;
                            /** @description Description, as shown to users. */
                            description: string;
                            /** @description Text of the prompt. */
                            prompt: string;
                            /** @description Tags. */
                            tags: string[];
                            /** @description Null if the account was deleted. */
                            creator: {
                                /** @description Id of the resource. Format: uuid. */
                                id: string;
                                /** @description Display name. */
                                name: string | null;
                                /** @description URL of an image. */
                                image: string | null;
                                /** @description Whether the creator is marked as an administrator of the platform. */
                                is_admin: boolean;
                            } | null;
                            /** @description Whether the template is visible only to its owner and to accounts that it is shared with. */
                            is_private: boolean;
                            /** @description Whether it is a favorite of the caller. */
                            is_favourite: boolean;
                            /** @description Number of accounts that marked the template as a favorite. Format: int64. */
                            favorites_count: number;
                            /** @description Only for the owner of a private template; otherwise empty. */
                            shared_emails: string[];
                            /** @description Time of creation. Format: date-time. */
                            created_at: string;
                            /** @description Null until the first change. Format: date-time. */
                            updated_at: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    putAgentsTemplatesByIdFavorite: {
        parameters: Only<{
            path: {
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "is_favourite": true
                 *     }
                 */
                "application/json": {
                    /** @description Whether the template is a favorite of the caller. */
                    is_favourite: boolean;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getProjects: {
        parameters: Only<{
            query?: {
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of items to skip. */
                offset?: number;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The projects. */
                        projects: {
                            /** @description Id of the resource. Format: uuid. */
                            id: string;
                            /** @description Display name. */
                            name: string;
                            /** @description Time of creation. Format: date-time. */
                            created_at: string;
                        }[];
                        /** @description Position of this page in the list. */
                        pagination: {
                            /** @description Number of items in the whole list. Format: int64. */
                            total_count: number;
                            /** @description Maximum number of items on the page. Format: int64. */
                            limit: number;
                            /** @description Number of items to skip. Format: int64. */
                            offset: number;
                            /** @description Offset of the next page. Present if this page ends before its limit because it has reached 4 MB. Format: int64. */
                            next_offset?: number;
                        };
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postProjects: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Spring release"
                 *     }
                 */
                "application/json": {
                    /** @description Display name. */
                    name: string;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The project. */
                        project: {
                            /** @description Id of the resource. Format: uuid. */
                            id: string;
                            /** @description Display name. */
                            name: string;
                            /** @description Time of creation. Format: date-time. */
                            created_at: string;
                        };
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            422: components["responses"]["E2IdempotencyMismatch"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getProjectsByProjectId: {
        parameters: Only<{
            path: {
                /** @description Id of the project. */
                projectId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The project. */
                        project: {
                            /** @description Id of the resource. Format: uuid. */
                            id: string;
                            /** @description Display name. */
                            name: string;
                            /** @description Time of creation. Format: date-time. */
                            created_at: string;
                        };
                        /** @description The tasks. */
                        tasks: {
                            /** @description Id of the resource. Format: uuid. */
                            id: string;
                            /** @description Id of the project. Format: uuid. */
                            project_id: string;
                            /** @description Display title. */
                            title: string;
                            /** @description Description, as shown to users. */
                            description: string | null;
                            /** @description Day on which the task is due, as `YYYY-MM-DD`. Format: date. */
                            due_date: string | null;
                            /** @description Account that the task is assigned to. Format: uuid. */
                            assignee_account_id: string | null;
                            /** @description Null while the task is not complete. Format: date-time. */
                            completed_at: string | null;
                            /** @description Account that completed the task. Format: uuid. */
                            completed_by: string | null;
                            /** @description Number of comments. Format: int64. */
                            comment_count: number;
                            /** @description Time of creation. Format: date-time. */
                            created_at: string;
                            /** @description Time of the last change. Format: date-time. */
                            updated_at: string;
                        }[];
                        /** @description The collaborators. */
                        collaborators: {
                            /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                            account_id: string;
                            /** @description Display name. */
                            name: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getProjectsByProjectIdCollaborators: {
        parameters: Only<{
            query?: {
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of items to skip. */
                offset?: number;
            };
            path: {
                /** @description Id of the project. */
                projectId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The collaborators. */
                        collaborators: {
                            /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                            account_id: string;
                            /** @description Display name. */
                            name: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postProjectsByProjectIdCollaborators: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the project. */
                projectId: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "grace@example.com"
                 *     }
                 */
                "application/json": {
                    /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                    account_id?: string;
                    /** @description An email address. Format: email. */
                    email?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The collaborator. */
                        collaborator: {
                            /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                            account_id: string;
                            /** @description Display name. */
                            name: string | null;
                        };
                    };
                };
            };
            201: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The collaborator. */
                        collaborator: {
                            /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                            account_id: string;
                            /** @description Display name. */
                            name: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            422: components["responses"]["E2IdempotencyMismatch"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getProjectsByProjectIdTasks: {
        parameters: Only<{
            query?: {
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of items to skip. */
                offset?: number;
            };
            path: {
                /** @description Id of the project. */
                projectId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The tasks. */
                        tasks: {
                            /** @description Id of the resource. Format: uuid. */
                            id: string;
                            /** @description Id of the project. Format: uuid. */
                            project_id: string;
                            /** @description Display title. */
                            title: string;
                            /** @description Description, as shown to users. */
                            description: string | null;
                            /** @description Day on which the task is due, as `YYYY-MM-DD`. Format: date. */
                            due_date: string | null;
                            /** @description Account that the task is assigned to. Format: uuid. */
                            assignee_account_id: string | null;
                            /** @description Null while the task is not complete. Format: date-time. */
                            completed_at: string | null;
                            /** @description Account that completed the task. Format: uuid. */
                            completed_by: string | null;
                            /** @description Number of comments. Format: int64. */
                            comment_count: number;
                            /** @description Time of creation. Format: date-time. */
                            created_at: string;
                            /** @description Time of the last change. Format: date-time. */
                            updated_at: string;
                        }[];
                        /** @description Position of this page in the list. */
                        pagination: {
                            /** @description Number of items in the whole list. Format: int64. */
                            total_count: number;
                            /** @description Maximum number of items on the page. Format: int64. */
                            limit: number;
                            /** @description Number of items to skip. Format: int64. */
                            offset: number;
                            /** @description Offset of the next page. Present if this page ends before its limit because it has reached 4 MB. Format: int64. */
                            next_offset?: number;
                        };
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postProjectsByProjectIdTasks: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the project. */
                projectId: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Send the masters",
                 *       "due_date": "2026-03-02"
                 *     }
                 */
                "application/json": {
                    /** @description Display title. */
                    title: string;
                    /** @description Description, as shown to users. */
                    description?: string | null;
                    /**
                     * Format: date
                     * @description A calendar date, without a time.
                     * @default null
                     */
                    due_date?: string | null;
                    /**
                     * Format: uuid
                     * @description The collaborator of the project who is responsible for the task.
                     * @default null
                     */
                    assignee_account_id?: string | null;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The task. */
                        task: {
                            /** @description Id of the resource. Format: uuid. */
                            id: string;
                            /** @description Id of the project. Format: uuid. */
                            project_id: string;
                            /** @description Display title. */
                            title: string;
                            /** @description Description, as shown to users. */
                            description: string | null;
                            /** @description Day on which the task is due, as `YYYY-MM-DD`. Format: date. */
                            due_date: string | null;
                            /** @description Account that the task is assigned to. Format: uuid. */
                            assignee_account_id: string | null;
                            /** @description Null while the task is not complete. Format: date-time. */
                            completed_at: string | null;
                            /** @description Account that completed the task. Format: uuid. */
                            completed_by: string | null;
                            /** @description Number of comments. Format: int64. */
                            comment_count: number;
                            /** @description Time of creation. Format: date-time. */
                            created_at: string;
                            /** @description Time of the last change. Format: date-time. */
                            updated_at: string;
                        };
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            422: components["responses"]["E2IdempotencyMismatch"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getProjectsByProjectIdTasksByTaskId: {
        parameters: Only<{
            path: {
                /** @description Id of the project. */
                projectId: string;
                /** @description Id of the task. */
                taskId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The task. */
                        task: {
                            /** @description Id of the resource. Format: uuid. */
                            id: string;
                            /** @description Id of the project. Format: uuid. */
                            project_id: string;
                            /** @description Display title. */
                            title: string;
                            /** @description Description, as shown to users. */
                            description: string | null;
                            /** @description Day on which the task is due, as `YYYY-MM-DD`. Format: date. */
                            due_date: string | null;
                            /** @description Account that the task is assigned to. Format: uuid. */
                            assignee_account_id: string | null;
                            /** @description Null while the task is not complete. Format: date-time. */
                            completed_at: string | null;
                            /** @description Account that completed the task. Format: uuid. */
                            completed_by: string | null;
                            /** @description Number of comments. Format: int64. */
                            comment_count: number;
                            /** @description Time of creation. Format: date-time. */
                            created_at: string;
                            /** @description Time of the last change. Format: date-time. */
                            updated_at: string;
                        };
                        /** @description The comments. */
                        comments: {
                            /** @description Id of the resource. Format: uuid. */
                            id: string;
                            /** @description Id of the task. Format: uuid. */
                            task_id: string;
                            /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                            account_id: string;
                            /** @description Name of the author. */
                            author_name: string | null;
                            /** @description Plain text. */
                            body: string;
                            /** @description Time of creation. Format: date-time. */
                            created_at: string;
                        }[];
                        /** @description The collaborators. */
                        collaborators: {
                            /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                            account_id: string;
                            /** @description Display name. */
                            name: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    deleteProjectsByProjectIdTasksByTaskId: {
        parameters: Only<{
            path: {
                /** @description Id of the project. */
                projectId: string;
                /** @description Id of the task. */
                taskId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description Id of the resource. Format: uuid. */
                        id: string;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    patchProjectsByProjectIdTasksByTaskId: {
        parameters: Only<{
            path: {
                /** @description Id of the project. */
                projectId: string;
                /** @description Id of the task. */
                taskId: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "completed": true
                 *     }
                 */
                "application/json": {
                    /** @description Display title. */
                    title?: string;
                    /** @description Description, as shown to users. */
                    description?: string | null;
                    /** @description A calendar date, without a time. Format: date. */
                    due_date?: string | null;
                    /** @description The collaborator of the project who is responsible for the task. Format: uuid. */
                    assignee_account_id?: string | null;
                    /** @description Whether the task is complete. */
                    completed?: boolean;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The task. */
                        task: {
                            /** @description Id of the resource. Format: uuid. */
                            id: string;
                            /** @description Id of the project. Format: uuid. */
                            project_id: string;
                            /** @description Display title. */
                            title: string;
                            /** @description Description, as shown to users. */
                            description: string | null;
                            /** @description Day on which the task is due, as `YYYY-MM-DD`. Format: date. */
                            due_date: string | null;
                            /** @description Account that the task is assigned to. Format: uuid. */
                            assignee_account_id: string | null;
                            /** @description Null while the task is not complete. Format: date-time. */
                            completed_at: string | null;
                            /** @description Account that completed the task. Format: uuid. */
                            completed_by: string | null;
                            /** @description Number of comments. Format: int64. */
                            comment_count: number;
                            /** @description Time of creation. Format: date-time. */
                            created_at: string;
                            /** @description Time of the last change. Format: date-time. */
                            updated_at: string;
                        };
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getProjectsByProjectIdTasksByTaskIdComments: {
        parameters: Only<{
            query?: {
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of items to skip. */
                offset?: number;
            };
            path: {
                /** @description Id of the project. */
                projectId: string;
                /** @description Id of the task. */
                taskId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The comments. */
                        comments: {
                            /** @description Id of the resource. Format: uuid. */
                            id: string;
                            /** @description Id of the task. Format: uuid. */
                            task_id: string;
                            /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                            account_id: string;
                            /** @description Name of the author. */
                            author_name: string | null;
                            /** @description Plain text. */
                            body: string;
                            /** @description Time of creation. Format: date-time. */
                            created_at: string;
                        }[];
                        /** @description Offset of the next page. Present if this page ends before its limit because it has reached 4 MB. Format: int64. */
                        next_offset?: number;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            404: components["responses"]["E2NotFound"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postProjectsByProjectIdTasksByTaskIdComments: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the project. */
                projectId: string;
                /** @description Id of the task. */
                taskId: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "body": "The masters are with the plant."
                 *     }
                 */
                "application/json": {
                    /** @description The text of the comment. */
                    body: string;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description The comment. */
                        comment: {
                            /** @description Id of the resource. Format: uuid. */
                            id: string;
                            /** @description Id of the task. Format: uuid. */
                            task_id: string;
                            /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                            account_id: string;
                            /** @description Name of the author. */
                            author_name: string | null;
                            /** @description Plain text. */
                            body: string;
                            /** @description Time of creation. Format: date-time. */
                            created_at: string;
                        };
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            422: components["responses"]["E2IdempotencyMismatch"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getConnectors: {
        parameters: Only<{
            query?: {
                /** @description Account or artist that the connection belongs to. Default: the caller. */
                account_id?: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `true`. */
                        success: true;
                        /** @description The connectors. */
                        connectors: {
                            /** @description Name of the connector. */
                            slug: string;
                            /** @description Display name. */
                            name: string;
                            /** @description Whether the account has a connection. */
                            isConnected: boolean;
                            /** @description Id of the connection; null when there is none. */
                            connectedAccountId: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["E1InvalidRequest"];
            401: components["responses"]["E1Unauthorized"];
            403: components["responses"]["E1Forbidden"];
            429: components["responses"]["E1RateLimited"];
            500: components["responses"]["E1Internal"];
            503: components["responses"]["E1Unavailable"];
        };
    };
    postConnectors: {
        parameters: NoParameters;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "connector": "googledocs"
                 *     }
                 */
                "application/json": {
                    /** @description Name of the connector. */
                    connector: string;
                    /** @description Page to return to after the connection. Format: uri. */
                    callback_url?: string;
                    /** @description Account or artist that the connection belongs to. Default: the caller. Format: uuid. */
                    account_id?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `true`. */
                        success: true;
                        /** @description The result. */
                        data: {
                            /** @description Name of the connector. */
                            connector: string;
                            /** @description Page where the connection is confirmed. Format: uri. */
                            redirectUrl: string;
                        };
                    };
                };
            };
            400: components["responses"]["E1InvalidRequest"];
            401: components["responses"]["E1Unauthorized"];
            403: components["responses"]["E1Forbidden"];
            408: components["responses"]["E1RequestTimeout"];
            413: components["responses"]["E1PayloadTooLarge"];
            415: components["responses"]["E1UnsupportedMediaType"];
            429: components["responses"]["E1RateLimited"];
            500: components["responses"]["E1Internal"];
            502: components["responses"]["E1BadGateway"];
            503: components["responses"]["E1Unavailable"];
        };
    };
    deleteConnectors: {
        parameters: NoParameters;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "connected_account_id": "ca_0a1b2c3d"
                 *     }
                 */
                "application/json": {
                    /** @description Id of the connection. */
                    connected_account_id: string;
                    /** @description Account or artist that the connection belongs to. Default: the caller. Format: uuid. */
                    account_id?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `true`. */
                        success: true;
                        /** @description Human-readable message. */
                        message?: string;
                    };
                };
            };
            400: components["responses"]["E1InvalidRequest"];
            401: components["responses"]["E1Unauthorized"];
            403: components["responses"]["E1Forbidden"];
            408: components["responses"]["E1RequestTimeout"];
            413: components["responses"]["E1PayloadTooLarge"];
            415: components["responses"]["E1UnsupportedMediaType"];
            429: components["responses"]["E1RateLimited"];
            500: components["responses"]["E1Internal"];
            502: components["responses"]["E1BadGateway"];
            503: components["responses"]["E1Unavailable"];
        };
    };
    getConnectorsCallback: {
        parameters: Only<{
            query?: {
                /** @description Only items in this state. */
                state?: string;
                /** @description Authorization code of the identity provider. */
                code?: string;
                /** @description Issuer of the authorization code. */
                iss?: string;
                /** @description Error code of the identity provider. */
                error?: string;
            };
        }>;
        responses: {
            /** @description The page that confirms the connection. The URL fragment contains the confirmation code. */
            303: {
                content?: never;
            };
            /** @description Nothing was connected: the state is unknown, used or expired, or the user denied access. */
            400: {
                content: { "text/html": string; };
            };
            500: components["responses"]["E1Internal"];
            /** @description Nothing was connected: the service did not confirm it. */
            502: {
                content: { "text/html": string; };
            };
        };
    };
    putConnectorsConfirmations: {
        parameters: NoParameters;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "q1w2e3r4",
                 *       "connect": true
                 *     }
                 */
                "application/json": {
                    /** @description The value after `#confirm=` in the URL of the confirmation page. */
                    code: string;
                    /** @description Whether to store the connection or to discard it. */
                    connect: boolean;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `true`. */
                        success: true;
                        /** @description Whether the connection is stored. */
                        connected: boolean;
                        /** @description Page to return to after the connection. */
                        target: string | null;
                        /** @description Whether the page to return to belongs to this deployment. */
                        trusted: boolean;
                    };
                };
            };
            400: components["responses"]["E1InvalidRequest"];
            401: components["responses"]["E1Unauthorized"];
            403: components["responses"]["E1Forbidden"];
            404: components["responses"]["E1NotFound"];
            408: components["responses"]["E1RequestTimeout"];
            413: components["responses"]["E1PayloadTooLarge"];
            415: components["responses"]["E1UnsupportedMediaType"];
            429: components["responses"]["E1RateLimited"];
            500: components["responses"]["E1Internal"];
            503: components["responses"]["E1Unavailable"];
        };
    };
    postConnectorsConfirmations: {
        parameters: NoParameters;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "q1w2e3r4"
                 *     }
                 */
                "application/json": {
                    /** @description The value after `#confirm=` in the URL of the confirmation page. */
                    code: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `true`. */
                        success: true;
                        /** @description Name of the connector. */
                        connector: string;
                        /** @description Display name of the service. */
                        connectorName: string;
                        /** @description Name of the account at the service; null if the service does not report one. */
                        serviceAccount: string | null;
                        /** @description Account that began the connection. */
                        account: {
                            /** @description Id of the resource. */
                            id: string;
                            /** @description Kind of the resource. */
                            kind: string;
                            /** @description Display name. */
                            name: string | null;
                            /** @description An email address. */
                            email: string | null;
                        };
                        /** @description Account or artist that the connection is for. */
                        subject: {
                            /** @description Id of the resource. */
                            id: string;
                            /** @description Kind of the resource. */
                            kind: string;
                            /** @description Display name. */
                            name: string | null;
                            /** @description An email address. */
                            email: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["E1InvalidRequest"];
            401: components["responses"]["E1Unauthorized"];
            403: components["responses"]["E1Forbidden"];
            404: components["responses"]["E1NotFound"];
            408: components["responses"]["E1RequestTimeout"];
            413: components["responses"]["E1PayloadTooLarge"];
            415: components["responses"]["E1UnsupportedMediaType"];
            429: components["responses"]["E1RateLimited"];
            500: components["responses"]["E1Internal"];
            503: components["responses"]["E1Unavailable"];
        };
    };
    getConnectorsActions: {
        parameters: Only<{
            query?: {
                /** @description Account or artist that the connection belongs to. Default: the caller. */
                account_id?: string;
                /** @description Name of the connector. */
                connector?: string;
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of items to skip. */
                offset?: number;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `true`. */
                        success: true;
                        /** @description The actions. */
                        actions: {
                            /** @description Name of the action. */
                            actionSlug: string;
                            /** @description Display name. */
                            name: string;
                            /** @description Description, as shown to users. */
                            description: string;
                            /** @description A JSON Schema of the parameters. */
                            parameters: {
                                [key: string]: unknown;
                            };
                            /** @description Name of the connector. */
                            connectorSlug: string;
                            /** @description Whether the account has a connection. */
                            isConnected: boolean;
                            /** @description Id of the connection; null when there is none. */
                            connectedAccountId: string | null;
                        }[];
                        /** @description Connectors whose actions cannot be listed now. Absent when there are none. */
                        missingConnectors?: string[];
                    };
                };
            };
            400: components["responses"]["E1InvalidRequest"];
            401: components["responses"]["E1Unauthorized"];
            403: components["responses"]["E1Forbidden"];
            429: components["responses"]["E1RateLimited"];
            500: components["responses"]["E1Internal"];
            502: components["responses"]["E1BadGateway"];
            503: components["responses"]["E1Unavailable"];
        };
    };
    postConnectorsActions: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "actionSlug": "NOTEBOOK_ADD_NOTE",
                 *       "parameters": {
                 *         "title": "Mastering",
                 *         "text": "Send the files by Friday."
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Name of the action. */
                    actionSlug: string;
                    /** @description Parameters: in a list, their JSON Schema; in a call, their values. */
                    parameters: {
                        [key: string]: unknown;
                    };
                    /** @description Account or artist that the connection belongs to. Default: the caller. Format: uuid. */
                    account_id?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `true`. */
                        success: true;
                        /** @description Result of the action. */
                        result: {
                            [key: string]: unknown;
                        };
                        /** @description Time of the call. Format: date-time. */
                        executedAt: string;
                    };
                };
            };
            400: components["responses"]["E1InvalidRequest"];
            401: components["responses"]["E1Unauthorized"];
            403: components["responses"]["E1Forbidden"];
            404: components["responses"]["E1NotFound"];
            408: components["responses"]["E1RequestTimeout"];
            409: components["responses"]["E1Conflict"];
            413: components["responses"]["E1PayloadTooLarge"];
            415: components["responses"]["E1UnsupportedMediaType"];
            422: components["responses"]["E1IdempotencyMismatch"];
            429: components["responses"]["E1RateLimited"];
            500: components["responses"]["E1Internal"];
            502: components["responses"]["E1BadGateway"];
            503: components["responses"]["E1Unavailable"];
        };
    };
    postConnectorsFiles: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/cover.png",
                 *       "actionSlug": "TIKTOK_SHOW_IMAGE"
                 *     }
                 */
                "application/json": {
                    /** @description URL of the resource. */
                    url: string;
                    /** @description Name of the action. */
                    actionSlug: string;
                    /** @description Account or artist that the connection belongs to. Default: the caller. Format: uuid. */
                    account_id?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `true`. */
                        success: true;
                        /** @description Display name. */
                        name: string;
                        /** @description Media type of the file. */
                        mimetype: string;
                        /** @description The API key. It is returned only once. */
                        key: string;
                    };
                };
            };
            400: components["responses"]["E1InvalidRequest"];
            401: components["responses"]["E1Unauthorized"];
            403: components["responses"]["E1Forbidden"];
            404: components["responses"]["E1NotFound"];
            408: components["responses"]["E1RequestTimeout"];
            409: components["responses"]["E1Conflict"];
            413: components["responses"]["E1PayloadTooLarge"];
            415: components["responses"]["E1UnsupportedMediaType"];
            422: components["responses"]["E1IdempotencyMismatch"];
            429: components["responses"]["E1RateLimited"];
            500: components["responses"]["E1Internal"];
            502: components["responses"]["E1BadGateway"];
            503: components["responses"]["E1Unavailable"];
        };
    };
    postEmails: {
        parameters: Only<{
            header?: {
                /** @description Visible ASCII. Within 24 hours, the same request with the same key returns the same response. */
                "Idempotency-Key"?: string;
            };
        }>;
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "to": [
                 *         "ada@example.com"
                 *       ],
                 *       "subject": "Your weekly numbers",
                 *       "text": "# Hello\n\nStreams are **up**."
                 *     }
                 */
                "application/json": {
                    /** @description End of the period, excluded. */
                    to?: string[];
                    /** @description Recipients of a copy. */
                    cc?: string[];
                    /** @description Subject of the email. */
                    subject?: string;
                    /** @description The text. */
                    text?: string;
                    /** @description HTML body of the email. */
                    html?: string;
                    /** @description Headers of the email. */
                    headers?: {
                        [key: string]: string;
                    };
                    /** @description Id of the chat. */
                    chat_id?: string;
                    /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                    account_id?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `true`. */
                        success: true;
                        /** @description Human-readable message. */
                        message: string;
                        /** @description Id of the email at the mail provider. */
                        id: string;
                        /** @description Recipients that the mail server rejected while it accepted the others. */
                        refused_recipients?: string[];
                    };
                };
            };
            400: components["responses"]["E1InvalidRequest"];
            401: components["responses"]["E1Unauthorized"];
            /** @description The caller is not allowed to do this. */
            403: {
                content: {
                    "application/json": {
                        /** @description Description of the error, for the user. Format: int64. */
                        error: number;
                        /** @description Human-readable message. */
                        message: string;
                        /** @description Only in a 500. */
                        request_id?: string;
                        /** @description Recipients that the account may not send email to. */
                        disallowed_recipients?: string[];
                    };
                };
            };
            408: components["responses"]["E1RequestTimeout"];
            409: components["responses"]["E1Conflict"];
            413: components["responses"]["E1PayloadTooLarge"];
            415: components["responses"]["E1UnsupportedMediaType"];
            422: components["responses"]["E1IdempotencyMismatch"];
            429: components["responses"]["E1RateLimited"];
            500: components["responses"]["E1Internal"];
            502: components["responses"]["E1BadGateway"];
            503: components["responses"]["E1Unavailable"];
        };
    };
    postWebhooksMail: {
        parameters: NoParameters;
        requestBody: {
            content: { "application/json": unknown; };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `success`. */
                        status: "success";
                        /** @description Always `true`. */
                        ignored?: true;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            500: components["responses"]["E2Internal"];
        };
    };
    getInboxByToken: {
        parameters: Only<{
            query?: {
                /** @description End of the period, excluded. */
                to?: string;
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of items to skip. */
                offset?: number;
            };
            path: {
                /** @description The token of the link. */
                token: string;
            };
        }>;
        responses: {
            /** @description A page, or JSON: `{messages: [{id, recipients, subject, received_at, text}]}`. */
            200: {
                content: { "text/html": string; };
            };
            400: components["responses"]["E2InvalidRequest"];
            404: components["responses"]["E2NotFound"];
            421: components["responses"]["E2MisdirectedRequest"];
            500: components["responses"]["E2Internal"];
        };
    };
    getInboxByTokenById: {
        parameters: Only<{
            query?: {
                /** @description Whether a reply was sent. */
                replied?: "true";
            };
            path: {
                /** @description The token of the link. */
                token: string;
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        responses: {
            /** @description A page, or JSON: `{id, from, to, cc, subject, text, html, headers, received_at}`. */
            200: {
                content: { "text/html": string; };
            };
            400: components["responses"]["E2InvalidRequest"];
            404: components["responses"]["E2NotFound"];
            421: components["responses"]["E2MisdirectedRequest"];
            500: components["responses"]["E2Internal"];
        };
    };
    postInboxByTokenByIdReply: {
        parameters: Only<{
            path: {
                /** @description The token of the link. */
                token: string;
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        requestBody: {
            content: { "application/x-www-form-urlencoded": unknown; };
        };
        responses: {
            /** @description The page of the email, if the form was empty. */
            200: {
                content: { "text/html": string; };
            };
            /** @description The page of the email. */
            303: {
                content?: never;
            };
            400: components["responses"]["E2InvalidRequest"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            421: components["responses"]["E2MisdirectedRequest"];
            500: components["responses"]["E2Internal"];
        };
    };
    getInboxByTokenByIdHtml: {
        parameters: Only<{
            path: {
                /** @description The token of the link. */
                token: string;
                /** @description Id of the resource in the path. */
                id: string;
            };
        }>;
        responses: {
            /** @description The part as it was sent, in a sandbox. */
            200: {
                content: { "text/html": string; };
            };
            400: components["responses"]["E2InvalidRequest"];
            404: components["responses"]["E2NotFound"];
            421: components["responses"]["E2MisdirectedRequest"];
            500: components["responses"]["E2Internal"];
        };
    };
    getTeamChatByToken: {
        parameters: Only<{
            path: {
                /** @description The token of the link. */
                token: string;
            };
        }>;
        responses: {
            /** @description The page. */
            200: {
                content: { "text/html": string; };
            };
            400: components["responses"]["E2InvalidRequest"];
            404: components["responses"]["E2NotFound"];
            421: components["responses"]["E2MisdirectedRequest"];
            500: components["responses"]["E2Internal"];
        };
    };
    postTeamChatByToken: {
        parameters: Only<{
            path: {
                /** @description The token of the link. */
                token: string;
            };
        }>;
        requestBody: {
            content: { "application/x-www-form-urlencoded": unknown; };
        };
        responses: {
            /** @description The thread list, if the message was empty. */
            200: {
                content: { "text/html": string; };
            };
            /** @description The thread. */
            303: {
                content?: never;
            };
            400: components["responses"]["E2InvalidRequest"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            421: components["responses"]["E2MisdirectedRequest"];
            500: components["responses"]["E2Internal"];
        };
    };
    getTeamChatByTokenByThreadId: {
        parameters: Only<{
            path: {
                /** @description The token of the link. */
                token: string;
                /** @description Id of the thread. */
                threadId: string;
            };
        }>;
        responses: {
            /** @description The page, which reloads while the agent is working. */
            200: {
                content: { "text/html": string; };
            };
            400: components["responses"]["E2InvalidRequest"];
            404: components["responses"]["E2NotFound"];
            421: components["responses"]["E2MisdirectedRequest"];
            500: components["responses"]["E2Internal"];
        };
    };
    getConsoleSettings: {
        parameters: NoParameters;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description URL of the console. */
                        consoleUrl: string;
                        /** @description URL of the API. */
                        apiUrl: string;
                        /** @description Name of the build. */
                        version: string;
                        /** @description Whether production mode is on. */
                        isProduction: boolean;
                        /** @description Sign-in configuration; null if sign-in is unavailable. */
                        signIn: {
                            /** @description URL of the identity provider. */
                            issuer: string;
                            /** @description URL of the metadata of the identity provider. */
                            discoveryUrl: string;
                            /** @description Id of the OAuth client. */
                            clientId: string;
                            /** @description What is measured. */
                            scope: string;
                            /** @description URL that the identity provider redirects to. */
                            redirectUri: string;
                            /**
                             * @description Token that is sent to the API.
                             * @enum {string}
                             */
                            bearer: "access_token" | "id_token";
                            /** @description Whether the embedded identity provider is used. */
                            isEmbedded: boolean;
                        } | null;
                        /** @description The models. */
                        models: {
                            /** @description Id of the default model. */
                            default: string;
                            /** @description Ids of the models to choose from; null when any id is accepted. */
                            choices: string[] | null;
                        };
                        /** @description Whether a turn needs a positive balance. */
                        requiresCredits: boolean;
                        /** @description Terms of each plan. */
                        plans: {
                            /** @description Terms of the free plan. */
                            free: {
                                /** @description Price per month, in US cents. Format: int64. */
                                priceCents: number;
                                /** @description Number of credits to which each month refills the balance. Format: int64. */
                                allotment: number;
                                /** @description Maximum number of enabled tasks; null for no limit. Format: int64. */
                                taskLimit: number | null;
                                /** @description Shortest interval between two runs of a task, in minutes. Format: int64. */
                                minGapMinutes: number;
                                /** @description Whether this deployment sells the plan. */
                                isSold: boolean;
                            };
                            /** @description Terms of the starter plan. */
                            starter: {
                                /** @description Price per month, in US cents. Format: int64. */
                                priceCents: number;
                                /** @description Number of credits to which each month refills the balance. Format: int64. */
                                allotment: number;
                                /** @description Maximum number of enabled tasks; null for no limit. Format: int64. */
                                taskLimit: number | null;
                                /** @description Shortest interval between two runs of a task, in minutes. Format: int64. */
                                minGapMinutes: number;
                                /** @description Whether this deployment sells the plan. */
                                isSold: boolean;
                            };
                            /** @description Terms of the pro plan. */
                            pro: {
                                /** @description Price per month, in US cents. Format: int64. */
                                priceCents: number;
                                /** @description Number of credits to which each month refills the balance. Format: int64. */
                                allotment: number;
                                /** @description Maximum number of enabled tasks; null for no limit. Format: int64. */
                                taskLimit: number | null;
                                /** @description Shortest interval between two runs of a task, in minutes. Format: int64. */
                                minGapMinutes: number;
                                /** @description Whether this deployment sells the plan. */
                                isSold: boolean;
                            };
                        };
                        /** @description Whether files can be uploaded. */
                        takesUploads: boolean;
                        /** @description URLs of the resource. */
                        links: {
                            /** @description URL of the web interface of the workflow engine. */
                            temporalUi: string | null;
                            /** @description URL of the workflows in that interface. The URL of a run is this URL, followed by a slash and its id. */
                            temporalWorkflows: string | null;
                            /** @description URL of the public site; null when none is served. */
                            site: string | null;
                            /** @description Unique reference of the entry. */
                            reference: string;
                            /** @description Page where credits are bought. */
                            billing: string;
                        };
                    };
                };
            };
            500: components["responses"]["E2Internal"];
        };
    };
    getConsoleMe: {
        parameters: NoParameters;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                        accountId: string;
                        /** @description Display name. */
                        name: string | null;
                        /** @description An email address. */
                        email: string | null;
                        /** @description Whether the account is a member of the admin organization. */
                        isAdmin: boolean;
                        /**
                         * @description Credential of the request.
                         * @enum {string}
                         */
                        via: "key" | "bearer";
                        /** @description Time of expiry; null if there is none. Numbers are milliseconds since 1970. Format: date-time. */
                        expiresAt: string | null;
                    };
                };
            };
            401: components["responses"]["E2Unauthorized"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getConsoleAccounts: {
        parameters: Only<{
            query?: {
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of items to skip. */
                offset?: number;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Accounts that the caller may act for. */
                        accounts: {
                            /** @description Id of the resource. Format: uuid. */
                            id: string;
                            /**
                             * @description Kind of the resource.
                             * @enum {string}
                             */
                            kind: "person" | "organization";
                            /** @description Display name. */
                            name: string | null;
                            /** @description An email address. */
                            email: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postConsoleKey: {
        parameters: NoParameters;
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "expiresInSeconds": 3600
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Seconds until expiry.
                     * @default 3600
                     */
                    expiresInSeconds?: number;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @description The API key. It is returned only once. */
                        key: string;
                        /** @description Id of the resource. Format: uuid. */
                        id: string;
                        /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                        accountId: string;
                        /** @description Time of expiry; null if there is none. Numbers are milliseconds since 1970. Format: date-time. */
                        expiresAt: string;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    deleteConsoleKey: {
        parameters: NoParameters;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `true`. */
                        success: true;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            408: components["responses"]["E2RequestTimeout"];
            409: components["responses"]["E2Conflict"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getConsoleSignIns: {
        parameters: Only<{
            query?: {
                /** @description Maximum number of items on the page. */
                limit?: number;
                /** @description Number of items to skip. */
                offset?: number;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The sign-ins, newest first. */
                        signIns: {
                            /** @description Id of the resource. Format: uuid. */
                            id: string;
                            /** @description User agent of the browser. */
                            userAgent: string;
                            /** @description Time of creation. Numbers are milliseconds since 1970. Format: date-time. */
                            createdAt: string;
                            /** @description Time of the last use. Format: date-time. */
                            lastUsed: string;
                            /** @description Time of expiry; null if there is none. Numbers are milliseconds since 1970. Format: date-time. */
                            expiresAt: string;
                            /** @description Whether the request comes from this sign-in. */
                            isCurrent: boolean;
                        }[];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postConsoleSignIns: {
        parameters: NoParameters;
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                        accountId: string;
                        /** @description Display name. */
                        name: string | null;
                        /** @description An email address. */
                        email: string | null;
                        /** @description Whether the account is a member of the admin organization. */
                        isAdmin: boolean;
                        /** @description Token that is sent to the API. */
                        bearer: string;
                        /** @description Seconds until expiry. Format: int64. */
                        expiresInSeconds: number;
                        /** @description Id of the sign-in of a browser. Format: uuid. */
                        signInId: string;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    postConsoleSignInsToken: {
        parameters: NoParameters;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Id of the account. In a request: the account to act for; default: the caller. Format: uuid. */
                        accountId: string;
                        /** @description Display name. */
                        name: string | null;
                        /** @description An email address. */
                        email: string | null;
                        /** @description Whether the account is a member of the admin organization. */
                        isAdmin: boolean;
                        /** @description Token that is sent to the API. */
                        bearer: string;
                        /** @description Seconds until expiry. Format: int64. */
                        expiresInSeconds: number;
                        /** @description Id of the sign-in of a browser. Format: uuid. */
                        signInId: string;
                    };
                };
            };
            /** @description The browser sent no cookie: it is not signed in. */
            204: {
                content?: never;
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            500: components["responses"]["E2Internal"];
        };
    };
    deleteConsoleSignInsCurrent: {
        parameters: NoParameters;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `true`. */
                        success: true;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            500: components["responses"]["E2Internal"];
        };
    };
    deleteConsoleSignInsBySignInId: {
        parameters: Only<{
            path: {
                /** @description Id of the sign-in of a browser. */
                signInId: string;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `true`. */
                        success: true;
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            404: components["responses"]["E2NotFound"];
            408: components["responses"]["E2RequestTimeout"];
            413: components["responses"]["E2PayloadTooLarge"];
            415: components["responses"]["E2UnsupportedMediaType"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getOperatorOverview: {
        parameters: NoParameters;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Time of the event. Format: date-time. */
                        at: string;
                        /** @description State of the dependencies of the service. */
                        health: {
                            /**
                             * @description State of the database.
                             * @enum {string}
                             */
                            postgres: "ok" | "failed" | "pending";
                            /**
                             * @description Whether the schema is current.
                             * @enum {string}
                             */
                            migrations: "ok" | "failed" | "pending";
                            /**
                             * @description State of the workflow engine.
                             * @enum {string}
                             */
                            temporal: "ok" | "failed" | "pending";
                            /** @description Free space on the disk. */
                            disk: {
                                /** @description Bytes that are free. Format: int64. */
                                freeBytes: number | null;
                                /** @description Bytes that are kept for the database. Format: int64. */
                                reserveBytes: number;
                            };
                        };
                        /** @description The queues. */
                        queues: {
                            /**
                             * @description Display name.
                             * @enum {string}
                             */
                            name: "turns" | "jobs" | "mails";
                            /** @description Number of waiting items. Format: int64. */
                            waiting: number;
                            /** @description Age of the oldest item in seconds. */
                            oldestSeconds: number | null;
                            /** @description Number of running items. Format: int64. */
                            running: number;
                        }[];
                        /** @description The task queues; null if the workflow engine does not respond. */
                        taskQueues: {
                            /** @description Display name. */
                            name: string;
                            /**
                             * @description Type of the entry.
                             * @enum {string}
                             */
                            type: "workflow" | "activity";
                            /** @description Tasks that have not started. Format: int64. */
                            backlog: number;
                            /** @description Age of the oldest item in seconds. */
                            oldestSeconds: number;
                            /** @description Tasks added per second. */
                            addedPerSecond: number;
                            /** @description Tasks taken per second. */
                            takenPerSecond: number;
                            /** @description Workers that poll the queue. Format: int64. */
                            pollers: number;
                        }[] | null;
                        /** @description Sums across all processes. */
                        totals: {
                            /** @description API processes that report. Format: int64. */
                            apisAlive: number;
                            /** @description Worker processes that report. Format: int64. */
                            workersAlive: number;
                            /** @description Requests in progress. Format: int64. */
                            openRequests: number;
                            /** @description Open streams. Format: int64. */
                            openStreams: number;
                            /** @description Requests per second. */
                            requestsPerSecond: number;
                            /** @description Frames sent to clients per second. */
                            framesSentPerSecond: number;
                            /** @description Frames written to logs per second. */
                            framesWrittenPerSecond: number;
                            /** @description Activities that are running. Format: int64. */
                            runningActivities: number;
                        };
                        /** @description The processes. */
                        processes: {
                            /** @description Id of the resource. */
                            id: string;
                            /**
                             * @description Kind of the process.
                             * @enum {string}
                             */
                            part: "api" | "worker";
                            /** @description Name of the machine. */
                            host: string;
                            /** @description Id of the process. Format: int64. */
                            pid: number;
                            /** @description Name of the build. */
                            build: string;
                            /**
                             * @description State of the resource.
                             * @enum {string}
                             */
                            state: "alive" | "silent" | "lost";
                            /** @description Time at which work began. Format: date-time. */
                            startedAt: string;
                            /** @description Time of the last report. Format: date-time. */
                            reportedAt: string;
                            /** @description Memory of the process in bytes. Format: int64. */
                            memoryBytes: number;
                            /** @description Processor time per second. */
                            processorShare: number;
                            /** @description Delay of the event loop in milliseconds. */
                            eventLoopDelayMs: number;
                            /** @description Requests in progress. Format: int64. */
                            openRequests: number;
                            /** @description Open streams. Format: int64. */
                            openStreams: number;
                            /** @description Requests per second. */
                            requestsPerSecond: number;
                            /** @description Frames sent to clients per second. */
                            framesSentPerSecond: number;
                            /** @description Frames written to logs per second. */
                            framesWrittenPerSecond: number;
                            /** @description Activities that are running. Format: int64. */
                            runningActivities: number;
                            /** @description Workflows in the cache of the worker. Format: int64. */
                            cachedWorkflows: number;
                        }[];
                        /** @description Work that was lost. */
                        lost: {
                            /** @description The processes. Format: int64. */
                            processes: number;
                            /** @description The attempts. Format: int64. */
                            attempts: number;
                            /** @description Hours that the figures cover. Format: int64. */
                            sinceHours: number;
                        };
                        /** @description The alerts. */
                        alerts: {
                            /**
                             * @description Kind of the resource.
                             * @enum {string}
                             */
                            kind: "sweep" | "run" | "ledger" | "payment";
                            /** @description Display name. */
                            name: string;
                            /** @description Number of occurrences. Format: int64. */
                            count: number;
                            /** @description Time of the last occurrence. Format: date-time. */
                            lastAt: string | null;
                        }[];
                        /** @description The routes with the longest response times. */
                        slowestRoutes: {
                            /** @description HTTP method. */
                            method: string;
                            /** @description Path of the route. */
                            route: string;
                            /** @description Number of occurrences. Format: int64. */
                            count: number;
                            /** @description Responses with a status of 500 or more. Format: int64. */
                            failures: number;
                            /** @description Mean response time in milliseconds. */
                            meanMs: number;
                            /** @description 95th percentile of the response time in milliseconds. */
                            p95Ms: number;
                        }[];
                        /** @description Seconds that the figures of routes cover. Format: int64. */
                        routesSinceSeconds: number;
                    };
                };
            };
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getOperatorActivity: {
        parameters: Only<{
            query?: {
                /** @description Number of days in UTC, today included. */
                days?: number;
            };
        }>;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Start of the period. Format: date-time. */
                        since: string;
                        /** @description Turns and jobs that have not ended, by kind. */
                        live: {
                            /** @description `turn`, or the kind of a job. */
                            kind: string;
                            /** @description Number of waiting items. Format: int64. */
                            waiting: number;
                            /** @description Number of running items. Format: int64. */
                            running: number;
                            /** @description Age of the oldest item in seconds. */
                            oldestSeconds: number;
                        }[];
                        /** @description Failed turns and jobs of the period, by kind and error. */
                        failures: {
                            /** @description `turn`, or the kind of a job. */
                            kind: string;
                            /** @description First 200 characters of the error, with `…` in place of ids. */
                            error: string;
                            /** @description Number of occurrences. Format: int64. */
                            count: number;
                            /** @description Time of the last failure. Format: date-time. */
                            lastAt: string;
                            /** @description Run id of the last failure. */
                            lastRunId: string;
                        }[];
                        /** @description Credits spent in the period, by day. */
                        spend: {
                            /** @description Day in UTC. Format: date. */
                            day: string;
                            /** @description Charges of all accounts, less refunds. Format: int64. */
                            credits: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["E2InvalidRequest"];
            401: components["responses"]["E2Unauthorized"];
            403: components["responses"]["E2Forbidden"];
            429: components["responses"]["E2RateLimited"];
            500: components["responses"]["E2Internal"];
            503: components["responses"]["E2Unavailable"];
        };
    };
    getHealthz: {
        parameters: NoParameters;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Always `ok`. */
                        status: "ok";
                    };
                };
            };
            500: components["responses"]["E2Internal"];
        };
    };
    getReadyz: {
        parameters: NoParameters;
        responses: {
            200: {
                content: {
                    "application/json": {
                        /**
                         * @description State of the resource.
                         * @enum {string}
                         */
                        status: "ready" | "unready" | "draining";
                        /** @description State of each dependency. */
                        checks: {
                            /**
                             * @description State of the database.
                             * @enum {string}
                             */
                            postgres: "ok" | "failed" | "pending";
                            /**
                             * @description Whether the schema is current.
                             * @enum {string}
                             */
                            migrations: "ok" | "failed" | "pending";
                            /**
                             * @description State of the workflow engine.
                             * @enum {string}
                             */
                            temporal: "ok" | "failed" | "pending";
                        };
                    };
                };
            };
            500: components["responses"]["E2Internal"];
            /** @description The same body, with the errors. */
            503: {
                content: {
                    "application/json": {
                        /**
                         * @description State of the resource.
                         * @enum {string}
                         */
                        status: "ready" | "unready" | "draining";
                        /** @description State of each dependency. */
                        checks: {
                            /**
                             * @description State of the database.
                             * @enum {string}
                             */
                            postgres: "ok" | "failed" | "pending";
                            /**
                             * @description Whether the schema is current.
                             * @enum {string}
                             */
                            migrations: "ok" | "failed" | "pending";
                            /**
                             * @description State of the workflow engine.
                             * @enum {string}
                             */
                            temporal: "ok" | "failed" | "pending";
                        };
                    };
                };
            };
        };
    };
    getOpenapiJson: {
        parameters: NoParameters;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                content: { "application/json": string; };
            };
            500: components["responses"]["E2Internal"];
        };
    };
    getReference: {
        parameters: NoParameters;
        responses: {
            /** @description HTML. */
            200: {
                content: { "text/html": string; };
            };
            500: components["responses"]["E2Internal"];
        };
    };
    getReferenceByFile: {
        parameters: Only<{
            path: {
                /** @description Name of the file. */
                file: string;
            };
        }>;
        responses: {
            /** @description The file. */
            200: {
                content: { "application/octet-stream": string; };
            };
            400: components["responses"]["E2InvalidRequest"];
            404: components["responses"]["E2NotFound"];
            500: components["responses"]["E2Internal"];
        };
    };
}

interface NoParameters {
    query?: never;
    header?: never;
    path?: never;
    cookie?: never;
}
type Only<Parameters> = Parameters & Omit<NoParameters, keyof Parameters>;
