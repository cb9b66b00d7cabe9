// The types of the API, from the document at /openapi.json. Written by `npm run client`; never edited.
export interface paths {
    "/api/accounts/id": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's account id
         * @description Access: Shows the caller only.
         */
        get: operations["getAccountsId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an account
         * @description By its id, or by one of its email addresses.
         *
         *     Access: The caller, and whoever the caller may act for; a bearer also reads its organizations.
         */
        get: operations["getAccountsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change an account
         * @description Fields that are not sent stay as they are; an empty text clears.
         *
         *     Access: The caller, or the account named by account_id that the caller may act for.
         */
        patch: operations["patchAccounts"];
        trace?: never;
    };
    "/api/agents/signup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign up with an email address
         * @description A new agent address gets an API key at once; every other address gets a code by mail, to be sent to POST /api/agents/verify.
         *
         *     Access: Creates an account for the address, or finds it; only its id is shown.
         */
        post: operations["postAgentsSignup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a code for an API key
         * @description A code works once, within 24 hours, and takes five tries.
         *
         *     Access: Returns an API key of the account to whose address the code was mailed.
         */
        post: operations["postAgentsVerify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's keys, newest first
         * @description Access: Keys of the caller only. A key with an expiry, as a run has it, gets 403.
         */
        get: operations["getKeys"];
        put?: never;
        /**
         * A new key; its text is shown this once
         * @description Access: Keys of the caller only. A key with an expiry, as a run has it, gets 403.
         */
        post: operations["postKeys"];
        /**
         * Removes a key
         * @description The id is read from the body, or from the query when there is no body.
         *
         *     Access: Keys of the caller only. A key with an expiry, as a run has it, gets 403.
         */
        delete: operations["deleteKeys"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Organizations of an account, or those that invite it
         * @description Access: Of the caller, or of the account named by account_id that the caller may act for.
         */
        get: operations["getOrganizations"];
        put?: never;
        /**
         * Found an organization
         * @description The caller becomes its first member. It begins without credits.
         *
         *     Access: The organization is of the caller. A key with an expiry, as a run has it, gets 403.
         */
        post: operations["postOrganizations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Members and invited accounts of an organization
         * @description An invited account shows its name once it has accepted.
         *
         *     Access: Members of the organization and of the admin organization.
         */
        get: operations["getOrganizationsMembers"];
        put?: never;
        /**
         * Invite somebody into an organization
         * @description The invited account gets a mail, at most one in 24 hours, and becomes a member when it accepts. A member stays one. The mail names the organization to those who have accepted an invitation before. How many mails an account causes and an address gets within a day is limited: 429.
         *
         *     Access: Members of the organization and of the admin organization. A key with an expiry, as a run has it, gets 403.
         */
        post: operations["postOrganizationsMembers"];
        /**
         * Remove a member or an invitation, or leave
         * @description Members that are not listed are removed. The last member cannot be removed.
         *
         *     Access: Members of the organization and of the admin organization. An account removes itself. A key with an expiry, as a run has it, gets 403.
         */
        delete: operations["deleteOrganizationsMembers"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/members/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description For the caller only. Accepting again changes nothing.
         *
         *     Access: The caller's own invitation. A key with an expiry, as a run has it, gets 403.
         */
        post: operations["postOrganizationsMembersAccept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/artists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List artists, pinned ones first, then by name
         * @description The roster of the account, or with organization_id the artists attached to that organization.
         *
         *     Access: The roster of the caller or of an account it may act for; artists of an organization for its members.
         */
        get: operations["getArtists"];
        put?: never;
        /**
         * Create an artist, or link the one that there is
         * @description With streaming_artist_id the artist that has this streaming profile is taken (200); else a new one is made (201). Either way it is on the roster afterwards, and attached to the organization that is named.
         *
         *     Access: On the roster of the caller or of the account named by account_id that the caller may act for; attached to an organization for its members.
         */
        post: operations["postArtists"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/accounts/artists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put an existing artist on the roster
         * @description Safe to repeat.
         *
         *     Access: The roster of the caller or of an account it may act for. The artist has a streaming profile, or is one that the account has access to. A key with an expiry, as a run has it, gets 403.
         */
        post: operations["postAccountsArtists"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/artists/{id}/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what is public of an artist, with its songs in your catalogs
         * @description Shared facts only: nothing that a workspace wrote about the artist or about a song. Songs come by catalog, latest first, and in it by plays; pages count songs.
         *
         *     Access: The artist must be on the caller's roster or be attached to an organization of the caller's; catalogs of these only.
         */
        get: operations["getArtistsByIdProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/artists/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take an artist off the roster
         * @description What the account wrote about the artist goes with it. An artist that no roster, no organization, no session and no task names any more is deleted. One that is reached through an organization only is detached there instead: 409.
         *
         *     Access: The artist must be on the roster of the caller, or of the account named by account_id that the caller may act for, or be attached to an organization of it.
         */
        delete: operations["deleteArtistsById"];
        options?: never;
        head?: never;
        /**
         * Change a workspace's texts about an artist, its pin and its linked profiles
         * @description name, image, instruction, label and knowledges are private to the workspace: the organization that is named, else the account with the artist on its roster, else the organization through which it has the artist. Profiles are shared: one of each platform, any number up to 20 of OTHER.
         *
         *     Access: The artist must be on the roster of the caller, or of the account named by account_id that the caller may act for, or be attached to an organization of it. A key with an expiry, as a run has it, gets 403 where the change gives lasting access.
         */
        patch: operations["patchArtistsById"];
        trace?: never;
    };
    "/api/organizations/artists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Attach an artist to an organization
         * @description All members have access to it from then on. Safe to repeat: the answer has the same id.
         *
         *     Access: The caller is a member of the organization and has access to the artist. A key with an expiry, as a run has it, gets 403.
         */
        post: operations["postOrganizationsArtists"];
        /**
         * Detach an artist from an organization
         * @description Safe to repeat. What the organization wrote about the artist is there again when it is attached anew.
         *
         *     Access: The caller is a member of the organization. A key with an expiry, as a run has it, gets 403.
         */
        delete: operations["deleteOrganizationsArtists"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/artists/{id}/socials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the linked profiles of an artist, by platform and address
         * @description Access: The artist must be on the caller's roster or be attached to an organization of the caller's.
         */
        get: operations["getArtistsByIdSocials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/artists/{id}/posts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the posts of the linked profiles of an artist, newest first
         * @description What scrapes have stored. A count that the platform does not report is null.
         *
         *     Access: The artist must be on the caller's roster or be attached to an organization of the caller's.
         */
        get: operations["getArtistsByIdPosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/artists/{id}/socials/{socialId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a profile link of an artist
         * @description The profile itself stays, with what is known of it.
         *
         *     Access: The artist must be on the caller's roster or be attached to an organization of the caller's. Its workspace added the link or made the artist. A key with an expiry, as a run has it, gets 403.
         */
        delete: operations["deleteArtistsByIdSocialsBySocialId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalogs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List catalogs with their size and value
         * @description What the account owns, and its organizations, latest first. The valuation is derived from the latest play counts at this moment; no provider is asked.
         *
         *     Access: Catalogs of the caller, or of an account that the caller may act for.
         */
        get: operations["getCatalogs"];
        put?: never;
        /**
         * Create a catalog, empty or of a snapshot
         * @description With the id of a measurement job that is done, its measured songs become the catalog, and the artist with most of them is put on the caller's roster. A snapshot makes one catalog: a repeat answers with it and adds nothing.
         *
         *     Access: The snapshot is the caller's. The catalog belongs to the caller, or to an organization of the caller.
         */
        post: operations["postCatalogs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/accounts/{id}/catalogs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the catalogs of an account
         * @description What the account owns, and its organizations, latest first. The valuation is derived from the latest play counts at this moment; no provider is asked.
         *
         *     Access: The caller, or an account that the caller may act for; a bearer also reads its organizations.
         */
        get: operations["getAccountsByIdCatalogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalogs/{catalogId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a catalog
         * @description Its songs, owners and valuation history go with it. Measurements stay, and the snapshots it was made of can make a catalog again.
         *
         *     Access: The catalog must have an owner among the caller and the organizations of the caller.
         */
        delete: operations["deleteCatalogsByCatalogId"];
        options?: never;
        head?: never;
        /**
         * Rename a catalog
         * @description Access: The catalog must have an owner among the caller and the organizations of the caller.
         */
        patch: operations["patchCatalogsByCatalogId"];
        trace?: never;
    };
    "/api/catalogs/songs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the songs of a catalog
         * @description By recording code, descending. artistName keeps the songs of an artist of exactly this name, whatever its letter case. A catalog without any song is not found.
         *
         *     Access: The catalog must have an owner among the caller and the organizations of the caller.
         */
        get: operations["getCatalogsSongs"];
        put?: never;
        /**
         * Add songs to catalogs by recording code
         * @description The streaming platform is asked for songs that are not known. Texts and artists that are sent show in that catalog alone, where the platform says nothing; lyrics come before its own. Adding a song again changes the texts that are sent. One catalog that may not be changed refuses all.
         *
         *     Access: The catalog must have an owner among the caller and the organizations of the caller.
         */
        post: operations["postCatalogsSongs"];
        /**
         * Take songs out of catalogs
         * @description Songs that are not in are no error. Answers with the first 100 songs that the named catalogs still have. What is known of the songs stays.
         *
         *     Access: The catalog must have an owner among the caller and the organizations of the caller.
         */
        delete: operations["deleteCatalogsSongs"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalogs/{catalogId}/measurements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the latest play count of each song, and what they make of the catalog
         * @description Most plays first. Sums, age and valuation are of all songs of the scope and not of the page. The first read of a day without artist_account_id adds a row to the valuation history.
         *
         *     Access: The catalog must have an owner among the caller and the organizations of the caller.
         */
        get: operations["getCatalogsByCatalogIdMeasurements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalogs/{catalogId}/valuations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a catalog was estimated at, newest first
         * @description A row for each valuation, and one for the first read of measurements of a day (UTC).
         *
         *     Access: The catalog must have an owner among the caller and the organizations of the caller.
         */
        get: operations["getCatalogsByCatalogIdValuations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/valuation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Estimate what the catalog of an artist may be worth
         * @description Measures the play counts of all albums and singles, makes a catalog of the songs and answers with a band in USD. Takes up to minutes. 504: the measurement goes on, and asking again attaches to it. A measurement of the same releases that is younger than an hour is taken again and costs nothing. A client that leaves stops nothing.
         *
         *     Access: Paid by the caller or by the account named by account_id that the caller may act for. The catalog belongs to it, or to an organization of both.
         */
        post: operations["postValuation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/research/measurement-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List measurement jobs, latest first
         * @description Access: Jobs of the caller or of the account named by account_id that the caller may act for.
         */
        get: operations["getResearchMeasurementJobs"];
        put?: never;
        /**
         * Measure the play counts of albums
         * @description Of album ids, of the albums that recording codes are known to be on, or of those of a catalog. Credits are held, and charged when the job is done; a job that fails costs nothing. A job of the same albums that is younger than an hour is answered again at no cost. Poll the job or its background run; POST /api/catalogs takes the id of one that is done.
         *
         *     Access: Paid by the caller or by the account named by account_id that the caller may act for.
         */
        post: operations["postResearchMeasurementJobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/research/measurement-jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a measurement job
         * @description Access: Jobs of the caller or of an account that the caller may act for; any other job is not found.
         */
        get: operations["getResearchMeasurementJobsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/artist/socials/scrape": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Scrape the linked profiles of an artist
         * @description Reads each profile on a platform that is scraped, with its latest posts, and stores them. 5 credits and 1 for each requested post (at least one) a profile, paid before; a profile that fails without anything stored is refunded. Poll GET /api/scrapers/runs/{runId} or the background run.
         *
         *     Access: The artist must be on the caller's roster or be attached to an organization of the caller's. The caller pays.
         */
        post: operations["postArtistSocialsScrape"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/socials/{id}/scrape": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Scrape one profile
         * @description As for all profiles of an artist. `posts` may be in the query or in the body, which counts when both are sent.
         *
         *     Access: An artist that the profile is linked to must be accessible to the caller, who pays.
         */
        post: operations["postSocialsByIdScrape"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scrapers/runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a scrape, or one profile of it, with what it stored
         * @description By the id of a batch, of a profile run or of a dataset. `data` is null until the run is COMPLETED; then it has the profile (null for a batch) and a page of the posts that the run stored, newest first.
         *
         *     Access: Runs of the caller or of the account named by account_id that the caller may act for; any other is not found.
         */
        get: operations["getScrapersRunsByRunId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/scraper": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What the scraper tells of a run
         * @description A hint: whoever waits for the run asks the scraper itself how far it is, so nothing that is sent here is stored.
         *
         *     Access: Shows no rows, and changes none; the token is of one run.
         */
        post: operations["postWebhooksScraper"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/research/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the live events of an artist
         * @description By the live-events profile that is linked to the artist first. Charged when the provider has answered, also with an empty list; a failure costs nothing.
         *
         *     Access: The artist must be on the caller's roster or be attached to an organization of the caller's.
         */
        post: operations["postResearchEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions, newest first
         * @description Access: Sessions of the caller only.
         */
        get: operations["getSessions"];
        put?: never;
        /**
         * Create a session with its first chat
         * @description Without a title the session is named after a place that no other session of the account is named after.
         *
         *     Access: The session belongs to the caller.
         */
        post: operations["postSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a session
         * @description Access: The session must belong to the caller.
         */
        get: operations["getSessionsBySessionId"];
        put?: never;
        post?: never;
        /**
         * Delete a session with its chats
         * @description Live runs are stopped first. The sandbox is removed afterwards; the workspace repository stays. An artist that no roster, no organization and no other session names goes with its last session.
         *
         *     Access: The session must belong to the caller.
         */
        delete: operations["deleteSessionsBySessionId"];
        options?: never;
        head?: never;
        /**
         * Rename, archive or restore a session
         * @description Archiving stops the live runs of the session first and its sandbox afterwards.
         *
         *     Access: The session must belong to the caller. A key with an expiry, as a run has it, gets 403 where the change gives lasting access.
         */
        patch: operations["patchSessionsBySessionId"];
        trace?: never;
    };
    "/api/sessions/{sessionId}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compute the diff of a session's work tree
         * @description Needs an active sandbox. The result is kept for `/diff/cached`.
         *
         *     Access: The session must belong to the caller.
         */
        get: operations["getSessionsBySessionIdDiff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/diff/cached": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the diff that was computed last
         * @description Access: The session must belong to the caller.
         */
        get: operations["getSessionsBySessionIdDiffCached"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/chats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the chats of a session, oldest first
         * @description Access: The session must belong to the caller.
         */
        get: operations["getSessionsBySessionIdChats"];
        put?: never;
        /**
         * Create a chat
         * @description With an `id` that the session already has, the chat of that id is the answer.
         *
         *     Access: The session must belong to the caller.
         */
        post: operations["postSessionsBySessionIdChats"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/chats/{chatId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a chat and its messages
         * @description Pages run from the end of the chat backwards and hold at most `limit` messages, fewer when those are more than 4 MB; `nextBefore` says whether there are others. `resumeIndex` is the frame of the live run from which a client that shows `messages` goes on.
         *
         *     Access: The session must belong to the caller and contain the chat.
         */
        get: operations["getSessionsBySessionIdChatsByChatId"];
        put?: never;
        post?: never;
        /**
         * Delete a chat with its messages
         * @description A live run is stopped first. The only chat of a session cannot be deleted.
         *
         *     Access: The session must belong to the caller and contain the chat.
         */
        delete: operations["deleteSessionsBySessionIdChatsByChatId"];
        options?: never;
        head?: never;
        /**
         * Rename a chat or choose its model
         * @description A new model takes effect with the next run.
         *
         *     Access: The session must belong to the caller and contain the chat.
         */
        patch: operations["patchSessionsBySessionIdChatsByChatId"];
        trace?: never;
    };
    "/api/sessions/{sessionId}/chats/{chatId}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a chat as read
         * @description Access: The session must belong to the caller and contain the chat.
         */
        post: operations["postSessionsBySessionIdChatsByChatIdRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the chats of an account, latest change first
         * @description Chats without messages and chats of archived sessions are left out.
         *
         *     Access: Chats of the caller, or of an account that the caller may act for.
         */
        get: operations["getChats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/chats/{chatId}/branches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the branches of a chat
         * @description The trunk first, then as they were begun, with what the turns of each were charged.
         *
         *     Access: The session must belong to the caller and contain the chat.
         */
        get: operations["getSessionsBySessionIdChatsByChatIdBranches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/chats/{chatId}/branches/{branchId}/select": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Select a branch of a chat
         * @description It is what reading the chat shows and where the next message goes. Not while a run is live.
         *
         *     Access: The session must belong to the caller and contain the chat.
         */
        post: operations["postSessionsBySessionIdChatsByChatIdBranchesByBranchIdSelect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/chats/{chatId}/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy a chat into a new chat or session
         * @description The messages of one branch up to `messageId`, with their ids. Files, usage and other branches stay.
         *
         *     Access: The session must belong to the caller and contain the chat; the copy is of the caller.
         */
        post: operations["postSessionsBySessionIdChatsByChatIdCopy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/chats/{chatId}/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the links of a chat, oldest first
         * @description Access: The session must belong to the caller and contain the chat.
         */
        get: operations["getSessionsBySessionIdChatsByChatIdShares"];
        put?: never;
        /**
         * Share a chat by a read-only link
         * @description Whoever has `url` reads the branch as it is now. The address is told here and nowhere else.
         *
         *     Access: The session must belong to the caller and contain the chat. A key with an expiry, as a run has it, gets 403.
         */
        post: operations["postSessionsBySessionIdChatsByChatIdShares"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/chats/{chatId}/shares/{shareId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a link
         * @description Access: The session must belong to the caller and contain the chat.
         */
        delete: operations["deleteSessionsBySessionIdChatsByChatIdSharesByShareId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/share/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a shared chat
         * @description A page for people, without scripts and without anything from elsewhere.
         *
         *     Access: Whoever has the address, until it expires or is revoked.
         */
        get: operations["getShareByToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start or resume a session's sandbox
         * @description Answers when the sandbox is ready. Parallel calls join one start; on an active sandbox it counts as activity.
         *
         *     Access: The session must belong to the caller.
         */
        post: operations["postSandbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the state of a session's sandbox
         * @description Access: The session must belong to the caller.
         */
        get: operations["getSandboxStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/git/{owner}/{repository}/info/refs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What git asks first when it clones, fetches or pushes
         * @description Access: The repository must be the caller's workspace or that of an organization of the caller; else 404.
         */
        get: operations["getGitByOwnerByRepositoryInfoRefs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/git/{owner}/{repository}/git-upload-pack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What git clones and fetches with
         * @description Access: The repository must be the caller's workspace or that of an organization of the caller; else 404.
         */
        post: operations["postGitByOwnerByRepositoryGitUploadPack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/git/{owner}/{repository}/git-receive-pack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What git pushes with
         * @description Access: The repository must be the caller's workspace or that of an organization of the caller; else 404.
         */
        post: operations["postGitByOwnerByRepositoryGitReceivePack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/reconnect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether a sandbox is still there
         * @description Checks the sandbox by running one command in it. Does not count as activity and starts nothing.
         *
         *     Access: The session must belong to the caller.
         */
        get: operations["getSandboxReconnect"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Keep a sandbox from hibernating
         * @description Counts as activity: the idle time starts over. Needs an active sandbox.
         *
         *     Access: The session must belong to the caller.
         */
        post: operations["postSandboxActivity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/extend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a sandbox run longer
         * @description Moves the end of an active sandbox, up to the longest time that a sandbox may run from its start.
         *
         *     Access: The session must belong to the caller.
         */
        post: operations["postSandboxExtend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a turn and stream its answer
         * @description The turn runs as a durable workflow. Losing the connection does not stop it: resume with GET /api/chat/{chatId}/stream. With `trigger` `regenerate-message` or with `editOf` it begins another branch of the chat and answers there.
         *
         *     Access: Session and chat must belong to the caller. A key with an expiry, as a run has it, gets 403 where the change gives lasting access.
         */
        post: operations["postChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chat/{chatId}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Resume the stream of the live run
         * @description Replays from `Last-Event-ID` + 1 (or `startIndex`, or 0), then goes on live. 204: there is nothing to resume. With `runId` the stream of this run of the chat, also when it has ended.
         *
         *     Access: The chat must belong to the caller, or to the account named by account_id that the caller may act for.
         */
        get: operations["getChatByChatIdStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chat/{chatId}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop the live run
         * @description Answers when the run has ended. Calling again is safe. Messages that wait are held.
         *
         *     Access: The chat must belong to the caller, or to the account named by account_id that the caller may act for.
         */
        post: operations["postChatByChatIdStop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chat/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a headless run
         * @description Creates its own session and sandbox and answers at once; poll the run id, or stream the chat. With `chatId` it works in that chat, where a prompt follows all that is stored, and `onBusy` says what happens when it is busy.
         *
         *     Access: Session and run belong to the caller, or to the account named by accountId that the caller may act for. The key of a run starts runs of its own account only, within its approvals and limits.
         */
        post: operations["postChatRuns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chat/runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the status of a run
         * @description Access: The run must belong to the caller or to an account that the caller may act for; else it is not found.
         */
        get: operations["getChatRunsByRunId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chat/{chatId}/queue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages that wait in a chat
         * @description In their order, 4 MB of them on a page: `nextAfter` is the `after` of the next page. An `after` that waits no more stands for the front of the queue.
         *
         *     Access: The chat must belong to the caller, or to the account named by account_id that the caller may act for.
         */
        get: operations["getChatByChatIdQueue"];
        put?: never;
        post?: never;
        /**
         * Empty the queue of a chat
         * @description Access: The chat must belong to the caller, or to the account named by account_id that the caller may act for.
         */
        delete: operations["deleteChatByChatIdQueue"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chat/{chatId}/queue/{queueId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what became of a message that waited
         * @description `runId` names the run that it became or joined: GET /api/chat/{chatId}/stream?runId= is its stream.
         *
         *     Access: The chat must belong to the caller, or to the account named by account_id that the caller may act for.
         */
        get: operations["getChatByChatIdQueueByQueueId"];
        put?: never;
        post?: never;
        /**
         * Take a message out of the queue
         * @description 409: the message waits no more.
         *
         *     Access: The chat must belong to the caller, or to the account named by account_id that the caller may act for.
         */
        delete: operations["deleteChatByChatIdQueueByQueueId"];
        options?: never;
        head?: never;
        /**
         * Change the text or the place of a message that waits
         * @description A new text replaces the text parts and leaves the files. 409: the message waits no more.
         *
         *     Access: The chat must belong to the caller, or to the account named by account_id that the caller may act for.
         */
        patch: operations["patchChatByChatIdQueueByQueueId"];
        trace?: never;
    };
    "/api/chat/{chatId}/queue/hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hold the queue of a chat
         * @description The running turn goes on; nothing that waits is accepted until the queue is resumed or emptied.
         *
         *     Access: The chat must belong to the caller, or to the account named by account_id that the caller may act for.
         */
        post: operations["postChatByChatIdQueueHold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chat/{chatId}/queue/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume the queue of a chat
         * @description Ends the hold, and accepts the message that waits next when the chat is free. Answers the queue as it then is: held again when that message was refused for its credits or its sandbox.
         *
         *     Access: The chat must belong to the caller, or to the account named by account_id that the caller may act for.
         */
        post: operations["postChatByChatIdQueueResume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chat/{chatId}/compact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Summarise the earlier turns of a chat
         * @description The model of the chat summarises everything before the last user message. Later turns are asked with the summary in its place; the messages stay. Asked again before the next user message, it answers the same summary.
         *
         *     Access: The chat must belong to the caller, or to the account named by account_id that the caller may act for.
         */
        post: operations["postChatByChatIdCompact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chat/{chatId}/summaries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the summaries of a chat, newest first
         * @description At most 50. A turn is asked with the newest that stands for the beginning of what it was sent.
         *
         *     Access: The chat must belong to the caller, or to the account named by account_id that the caller may act for.
         */
        get: operations["getChatByChatIdSummaries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models of this deployment
         * @description With context window, the prices in use and where they come from, and how the last call ended. With `anyModel` other ids may be chosen, too.
         *
         *     Access: The deployment has one list for everybody; what it says of calls names no account.
         */
        get: operations["getAiModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandboxes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the personal sandbox
         * @description The sandboxes of the account, its snapshot, its source repository and the tree of `main`.
         *
         *     Access: Rows of the caller, or of the account named by account_id that the caller may act for.
         */
        get: operations["getSandboxes"];
        put?: never;
        post?: never;
        /**
         * Delete the personal sandbox
         * @description Ends a live setup, removes the sandboxes, the source repository that the snapshot record names, the snapshot and the record. Safe to repeat.
         *
         *     Access: Rows of the caller, or of the account named by account_id that the caller may act for.
         */
        delete: operations["deleteSandboxes"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandboxes/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set up the personal sandbox
         * @description Makes the source repository, a sandbox with it and a snapshot. Answers at once: poll GET /api/tasks/runs. One setup per account is live; a further call answers with it.
         *
         *     Access: Rows of the caller, or of the account named by account_id that the caller may act for.
         */
        post: operations["postSandboxesSetup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandboxes/staged-file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stage a file
         * @description The handshake of the blob store's own client library: an envelope that asks for an upload token, or the store's signed word that an upload is complete.
         *
         *     Access: The token is bound to a path of the caller; the confirmation of the store is verified by its signature.
         */
        post: operations["postSandboxesStagedFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandboxes/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Commit staged files
         * @description One commit a file on `main` of the source repository, or of the submodule that the path leads into. The staged files are deleted afterwards, also those that could not be committed.
         *
         *     Access: Rows of the caller, or of the account named by account_id that the caller may act for.
         */
        post: operations["postSandboxesFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandboxes/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a file of the source repository
         * @description From `main`; paths inside submodules are resolved. Binary content comes as base64, at most 5 MiB.
         *
         *     Access: Rows of the caller, or of the account named by account_id that the caller may act for.
         */
        get: operations["getSandboxesFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List scheduled tasks, newest first
         * @description An id that names no task of the account gives an empty list.
         *
         *     Access: Tasks of the caller or of an account it may act for. An admin who sends an id alone finds the task of any owner.
         */
        get: operations["getTasks"];
        put?: never;
        /**
         * Create a scheduled task
         * @description Answers once its schedule is active. If the schedule cannot be created, the task is not kept.
         *
         *     Access: The task belongs to the caller or to the account that it may act for; that account must have access to the artist. The key of a run makes tasks of its own account only, with its approvals.
         */
        post: operations["postTasks"];
        /**
         * Delete a scheduled task
         * @description Its past runs stay readable, and a run in progress goes on.
         *
         *     Access: Tasks of the caller or of an account that it may act for.
         */
        delete: operations["deleteTasks"];
        options?: never;
        head?: never;
        /**
         * Change a scheduled task
         * @description Fields that are not sent stay. Answers when the schedule follows; when it cannot, the task is as before.
         *
         *     Access: Tasks of the caller or of an account it may act for. account_id says for whom the caller acts, and moves no task. A key with an expiry, as a run has it, gets 403 where the change gives lasting access.
         */
        patch: operations["patchTasks"];
        trace?: never;
    };
    "/api/tasks/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read background runs
         * @description With runId one run with its payload and result; else the runs of the account, latest first.
         *
         *     Access: Runs of the caller or of an account that the caller may act for; any other run is not found.
         */
        get: operations["getTasksRuns"];
        put?: never;
        /**
         * Run a task now
         * @description Whether or not the task is enabled; the plan's shortest gap does not apply. Answers at once: poll GET with the run id.
         *
         *     Access: Tasks of the caller or of an account that the caller may act for.
         */
        post: operations["postTasksRuns"];
        /**
         * Cancel a background run
         * @description Answers when the run has ended, and with it the chat run that it waits for.
         *
         *     Access: Runs of the caller or of an account that the caller may act for; any other run is not found.
         */
        delete: operations["deleteTasksRuns"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List turns and jobs, newest first
         * @description Everything durable of an account in one order. `kind` and `status` take several values, separated by commas. Turns that a job waits for are left out unless `children` is true.
         *
         *     Access: Runs of the caller, or of the account named by account_id that the caller may act for.
         */
        get: operations["getRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{runId}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened in a run, and when
         * @description Steps, attempts, tool calls, waits and errors of a turn or a job, read from the database alone, live or ended.
         *
         *     Access: Runs of the caller or of an account that the caller may act for; any other run is not found.
         */
        get: operations["getRunsByRunIdTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/credits/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Buy credits
         * @description Charges the card on file, or answers with a hosted checkout: `paymentIntentId` or `url` tells which. Credits reach the balance when the payment provider has confirmed the payment. Without an Idempotency-Key an equal charge of the last minute is not made again.
         *
         *     Access: The caller, or the account named by accountId that the caller may act for. A key with an expiry, as a run has it, gets 403.
         */
        post: operations["postCreditsSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What the payment provider tells
         * @description Signed by the provider over the bytes of the body: `x-payment-signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of '<t>.<body>'>` from the built-in one, its own header from a real one. An event that was taken before is answered and does nothing.
         *
         *     Access: Shows no rows; changes what the signed event is about.
         */
        post: operations["postWebhooksPayments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/accounts/{id}/payment-method": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The card on file
         * @description Access: The account of the path, when the caller is it or may act for it.
         */
        get: operations["getAccountsByIdPaymentMethod"];
        put?: never;
        /**
         * A hosted page on which a card is put on file
         * @description Access: The account of the path, when the caller is it or may act for it. A key with an expiry, as a run has it, gets 403.
         */
        post: operations["postAccountsByIdPaymentMethod"];
        /**
         * Take all cards off file
         * @description Also switches automatic top-ups off. Safe to repeat.
         *
         *     Access: The account of the path, when the caller is it or may act for it. A key with an expiry, as a run has it, gets 403.
         */
        delete: operations["deleteAccountsByIdPaymentMethod"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/card-on-file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A hosted page on which a card is put on file, for the account in the body
         * @description Access: The caller, or the account named by accountId that the caller may act for. A key with an expiry, as a run has it, gets 403.
         */
        post: operations["postSubscriptionsCardOnFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/accounts/{id}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Purchases of credits, newest first
         * @description Access: The account of the path, when the caller is it or may act for it.
         */
        get: operations["getAccountsByIdPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/accounts/{id}/auto-top-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether credits are bought by themselves
         * @description Access: The account of the path, when the caller is it or may act for it.
         */
        get: operations["getAccountsByIdAutoTopUp"];
        /**
         * Buy credits by itself when the balance is low
         * @description Charges `amountCents` without fee to the card on file when the balance falls below `thresholdCents`, at most every ten minutes. A card that says no switches it off, and a mail says so.
         *
         *     Access: The account of the path, when the caller is it or may act for it. A key with an expiry, as a run has it, gets 403.
         */
        put: operations["putAccountsByIdAutoTopUp"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The hosted page of an account's subscription, for the account in the body
         * @description Access: The caller, or the account named by accountId that the caller may act for. A key with an expiry, as a run has it, gets 403.
         */
        post: operations["postSubscriptionsPortal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/accounts/{id}/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The hosted page of an account's subscription
         * @description Access: The account of the path, when the caller is it or may act for it. A key with an expiry, as a run has it, gets 403.
         */
        post: operations["postAccountsByIdPortal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Subscribe
         * @description A hosted checkout. Without credentials the purchase is linked to the account of the email that pays; POST /api/subscriptions/claim takes it to another one. A plan has one trial for whoever is behind the purchase: the account, who buys for it, the email and the card that pay; a second trial counts for nothing until it is paid for. The success target gets `session_id` in its query.
         *
         *     Access: The caller, or the account named by accountId that the caller may act for. A key with an expiry, as a run has it, gets 403.
         */
        post: operations["postSubscriptionsSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a subscription that was bought without signing in
         * @description Needed when the email of the checkout is not the one of the account. Safe to repeat. What belongs to somebody who has signed in stays theirs.
         *
         *     Access: The caller becomes the owner of a purchase whose session id it knows and that nobody else has claimed. A key with an expiry, as a run has it, gets 403.
         */
        post: operations["postSubscriptionsClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/accounts/{id}/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The subscription that an account has
         * @description `source` says whose it is: its own, or that of an organization that it is a member of. `isPro` counts both, and email domains that are on the pro plan.
         *
         *     Access: The account of the path, when the caller is it or may act for it.
         */
        get: operations["getAccountsByIdSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/accounts/{id}/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The credits of an account
         * @description remaining_credits includes a refill that is due; reading it does not carry out the refill.
         *
         *     Access: The caller, or an account that the caller may act for; an unknown one is refused in the same way.
         */
        get: operations["getAccountsByIdCredits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/accounts/{id}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was booked on an account
         * @description Every entry of the ledger, newest first: what came in and what was taken, each once by its reference, with the balance behind it. `source`, `model_id` and `run_id` are those of the work that was paid, or null.
         *
         *     Access: The caller, or an account that the caller may act for; an unknown one is refused in the same way.
         */
        get: operations["getAccountsByIdLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/accounts/{id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an account spent its credits on
         * @description Charges and refunds of a period, this month by default, newest or dearest first. The series comes with the first page.
         *
         *     Access: The caller, or an account that the caller may act for; an unknown one is refused in the same way.
         */
        get: operations["getAccountsByIdUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/accounts/{id}/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The media storage of an account
         * @description Tracks, videos and their files count with their bytes. Deleting a track or a video frees them.
         *
         *     Access: The caller, or an account that the caller may act for; an unknown one is refused in the same way.
         */
        get: operations["getAccountsByIdMedia"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/blob/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload a staged file
         * @description Authorization carries the upload token of POST /api/sandboxes/staged-file, which makes one file: the same bytes again are answered as before, others are refused.
         *
         *     Access: The upload token names the one path that may be written, which is of one account.
         */
        put: operations["putBlob"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/blob/mpu": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a staged file in parts
         * @description The header x-mpu-action says whether this begins the upload, carries a part or ends it. A token makes one file; its parts together are at most 100 MiB.
         *
         *     Access: The upload token names the one path that may be written, which is of one account.
         */
        post: operations["postBlobMpu"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/{folder}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a finished file
         * @description A rendered track, clip or picture, as its address was given. Answers one range of bytes, so that a player can seek.
         *
         *     Access: Whoever has the address: its name cannot be guessed.
         */
        get: operations["getMediaByFolderByName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/music": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List music generations, latest first
         * @description Access: Generations of the caller and of its organizations; with account_id those of that account, which the caller may act for.
         */
        get: operations["getMusic"];
        put?: never;
        /**
         * Make a track
         * @description Of a description and lyrics. The price of the requested seconds is held, and what was made is charged when the track is stored, at most what was held; a generation that fails costs nothing. Poll the generation or its background run `render-music`, whose metadata says how far it is. It cannot be cancelled.
         *
         *     Access: Owned and paid by the caller or by the account named by account_id that the caller may act for.
         */
        post: operations["postMusic"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/music/{generationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a music generation, with the log of its render
         * @description Access: Generations of the caller, of its organizations, or of an account that the caller may act for.
         */
        get: operations["getMusicByGenerationId"];
        put?: never;
        post?: never;
        /**
         * Delete a track
         * @description Its file is deleted and its bytes are free. 409: it is being made. Its charge stays.
         *
         *     Access: Generations of the caller, or of an account that the caller may act for. A key with an expiry, as a run has it, gets 403.
         */
        delete: operations["deleteMusicByGenerationId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/renders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What the renderer tells of a track
         * @description A hint: whoever waits for the render asks the renderer itself how far it is, so nothing that is sent here is stored.
         *
         *     Access: Shows no rows, and changes none; the renderer signs what it sends.
         */
        post: operations["postWebhooksRenders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/content/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the looks that a video can have
         * @description The default one first.
         *
         *     Access: Everybody with a credential sees the same list.
         */
        get: operations["getContentTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/content/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make short videos for an artist
         * @description Each run of the batch takes a picture and a song, of the request or of the artist's folder in the source repository (its name in lower case, with hyphens for spaces), chooses the most energetic part of the song, and renders an upright video. All runs are stored at once, and some are made at a time. Poll `GET /api/tasks/runs` for each run `create-content`: its metadata says how far it is, its output has the addresses. `DELETE` there cancels it.
         *
         *     Access: Owned and paid by the caller or by the account named by account_id that the caller may act for, which has access to the artist.
         */
        post: operations["postContentCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/content/videos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List videos, newest first
         * @description Those that are made, those that are asked for and those that failed, with what was asked for each.
         *
         *     Access: Videos of the caller, or of the account named by account_id that the caller may act for.
         */
        get: operations["getContentVideos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/content/videos/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a video
         * @description Access: Videos of the caller or of an account that the caller may act for; any other video is not found.
         */
        get: operations["getContentVideosByRunId"];
        put?: never;
        post?: never;
        /**
         * Delete a video
         * @description Its files are deleted and their bytes are free. 409: it is being made; DELETE its background run first.
         *
         *     Access: Videos of the caller or of an account that the caller may act for; any other video is not found. A key with an expiry, as a run has it, gets 403.
         */
        delete: operations["deleteContentVideosByRunId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/content-agent/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * How the videos of a thread ended
         * @description For the run that waits for them, and for nobody else: with `x-callback-secret`. What it says is posted to the thread, each video once. A thread that is not running is skipped.
         *
         *     Access: The thread of the body; only runs that were started in it are posted.
         */
        post: operations["postContentAgentCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/content-agent/{platform}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What the team chat tells of
         * @description A challenge, which is repeated, or a mention of the agent: `<artist id> [template] [batch=N] [lipsync]`. It is stored with its job and answered in its thread. Signed with `x-teamchat-signature` over `x-teamchat-request-timestamp` and the body, where the deployment has a signing secret. The only platform is `teamchat`.
         *
         *     Access: Works for the account that the settings link to the workspace; the platform signs what it sends.
         */
        post: operations["postContentAgentByPlatform"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List templates, by title
         * @description Access: The caller's own, public ones, and private ones that are shared with an address of the caller.
         */
        get: operations["getAgentsTemplates"];
        put?: never;
        /**
         * Keep a template
         * @description Access: The template is of the caller. A key with an expiry, as a run has it, gets 403.
         */
        post: operations["postAgentsTemplates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a template
         * @description Access: The caller's own template; nobody acts for somebody else here.
         */
        delete: operations["deleteAgentsTemplatesById"];
        options?: never;
        head?: never;
        /**
         * Change a template
         * @description A list of addresses replaces the one before. It rests while the template is public.
         *
         *     Access: The caller's own template; nobody acts for somebody else here. A key with an expiry, as a run has it, gets 403.
         */
        patch: operations["patchAgentsTemplatesById"];
        trace?: never;
    };
    "/api/agents/templates/{id}/favorite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Make a template a favorite, or no longer one
         * @description Access: A template that the caller sees; the favorite is of the caller.
         */
        put: operations["putAgentsTemplatesByIdFavorite"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects, newest first
         * @description Access: Projects that the caller collaborates on.
         */
        get: operations["getProjects"];
        put?: never;
        /**
         * Begin a project
         * @description The caller is its first collaborator.
         *
         *     Access: The project is of the caller.
         */
        post: operations["postProjects"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{projectId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a project with its tasks and collaborators
         * @description Its first 500 tasks, and its first 1000 collaborators: their own routes have pages.
         *
         *     Access: Collaborators of the project, and nobody for them.
         */
        get: operations["getProjectsByProjectId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{projectId}/collaborators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the collaborators of a project, in the order in which they came
         * @description Access: Collaborators of the project, and nobody for them.
         */
        get: operations["getProjectsByProjectIdCollaborators"];
        put?: never;
        /**
         * Let somebody collaborate on a project
         * @description From now on, without being asked; one mail tells them. An address that nobody has yet gets an account. How many mails an account causes and an address gets within a day is limited: 429.
         *
         *     Access: Collaborators of the project, and nobody for them. A key with an expiry, as a run has it, gets 403.
         */
        post: operations["postProjectsByProjectIdCollaborators"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{projectId}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tasks of a project, oldest first
         * @description Access: Collaborators of the project, and nobody for them.
         */
        get: operations["getProjectsByProjectIdTasks"];
        put?: never;
        /**
         * Add a task to a project
         * @description Access: Collaborators of the project, and nobody for them.
         */
        post: operations["postProjectsByProjectIdTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{projectId}/tasks/{taskId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a task of a project with its comments
         * @description Its first 1000 comments, oldest first, and the first 1000 collaborators of the project.
         *
         *     Access: Collaborators of the project, and nobody for them.
         */
        get: operations["getProjectsByProjectIdTasksByTaskId"];
        put?: never;
        post?: never;
        /**
         * Delete a task of a project with its comments
         * @description Access: Collaborators of the project, and nobody for them.
         */
        delete: operations["deleteProjectsByProjectIdTasksByTaskId"];
        options?: never;
        head?: never;
        /**
         * Change or complete a task of a project
         * @description Completed by the caller, unless somebody has completed it before.
         *
         *     Access: Collaborators of the project, and nobody for them.
         */
        patch: operations["patchProjectsByProjectIdTasksByTaskId"];
        trace?: never;
    };
    "/api/projects/{projectId}/tasks/{taskId}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the comments on a task, oldest first
         * @description Access: Collaborators of the project, and nobody for them.
         */
        get: operations["getProjectsByProjectIdTasksByTaskIdComments"];
        put?: never;
        /**
         * Comment on a task
         * @description Plain text, which is never changed.
         *
         *     Access: Collaborators of the project, and nobody for them.
         */
        post: operations["postProjectsByProjectIdTasksByTaskIdComments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the connectors, and which of them are connected
         * @description Access: Connections of exactly one subject and workspace: the caller; or the account of account_id that it may act for; or an artist that it reaches, in the workspace in whose name it sees the artist.
         */
        get: operations["getConnectors"];
        put?: never;
        /**
         * Begin to connect a service
         * @description Open `redirectUrl` in the browser of the person whose service it is. It is good for ten minutes, once; the browser then goes to `callback_url`.
         *
         *     Access: Connections of exactly one subject and workspace: the caller; or the account of account_id that it may act for; or an artist that it reaches, in the workspace in whose name it sees the artist. A key with an expiry, as a run has it, gets 403.
         */
        post: operations["postConnectors"];
        /**
         * Disconnect a service
         * @description Revokes what the person granted and deletes its credentials. A connection that is gone is 403.
         *
         *     Access: Connections of exactly one subject and workspace: the caller; or the account of account_id that it may act for; or an artist that it reaches, in the workspace in whose name it sees the artist. A key with an expiry, as a run has it, gets 403.
         */
        delete: operations["deleteConnectors"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connectors/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Take back the browser of a person who allowed a connection
         * @description Not for programs: a service sends browsers here.
         *
         *     Access: The state in the address belongs to one authorization, and is good once.
         */
        get: operations["getConnectorsCallback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connectors/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the actions of the connectors, connected or not
         * @description From a cache that is at most an hour old and renewed behind the answer. By connector and action. While the broker of a connector does not answer, what is cached of it stays in use; where nothing is, `missingConnectors` names it.
         *
         *     Access: Connections of exactly one subject and workspace: the caller; or the account of account_id that it may act for; or an artist that it reaches, in the workspace in whose name it sees the artist.
         */
        get: operations["getConnectorsActions"];
        put?: never;
        /**
         * Execute an action of a connected service
         * @description The result is what the service answered, unchanged: up to 5 MB, within a minute. A 502 that says so may have been done all the same: it is never tried again by itself. With an `Idempotency-Key` a repeat is safe: it gets the stored answer, or asks the service again only where that knows the key.
         *
         *     Access: Connections of exactly one subject and workspace: the caller; or the account of account_id that it may act for; or an artist that it reaches, in the workspace in whose name it sees the artist. A key with an expiry, as a run has it, gets 403.
         */
        post: operations["postConnectorsActions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connectors/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stage an image for an action
         * @description Fetches a PNG, JPEG, GIF or WebP of at most 25 MB from a public https address. The answer, without `success`, is what a `file_uploadable` parameter of an action of the same connector takes, for 24 hours.
         *
         *     Access: Connections of exactly one subject and workspace: the caller; or the account of account_id that it may act for; or an artist that it reaches, in the workspace in whose name it sees the artist. A key with an expiry, as a run has it, gets 403.
         */
        post: operations["postConnectorsFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/emails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an email
         * @description Without a payment method on file, mail goes to the own addresses of the account only; with one, to a limited number of others in a day (429). `html` wins over `text`, which is Markdown; scripts, forms, frames and unknown addresses are taken out of both.
         *
         *     Access: Sends for the caller, or for an account that the caller may act for.
         */
        post: operations["postEmails"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What the mail provider tells of a reply
         * @description Signed by the provider over the bytes of the body. A reply to a mail of a chat becomes its next message when it comes from an address of the account; everything else is ignored.
         *
         *     Access: Shows no rows; notes a mail for the chat that its signed address names.
         */
        post: operations["postWebhooksMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inbox/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Mails, newest first
         * @description The mailboxes of the embedded mail provider. Development only. HTML, or JSON for `Accept: application/json`. The token is in the address that `npm start` prints.
         *
         *     Access: Anyone with the token of the deployment can read every mail.
         */
        get: operations["getInboxByToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inbox/{token}/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One mail
         * @description The mailboxes of the embedded mail provider. Development only. HTML, or JSON for `Accept: application/json`. The token is in the address that `npm start` prints.
         *
         *     Access: Anyone with the token of the deployment can read every mail.
         */
        get: operations["getInboxByTokenById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inbox/{token}/{id}/reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reply to a mail of a chat
         * @description As if its reader had answered: `from`, `text` and, one a line, `headers`, as a form. What comes of it is seen in the chat. A form with a `key` that was sent before does nothing.
         *
         *     Access: Anyone with the token of the deployment replies as whoever they say they are.
         */
        post: operations["postInboxByTokenByIdReply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inbox/{token}/{id}/html": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The HTML part of one mail, for a frame
         * @description The mailboxes of the embedded mail provider. Development only. HTML, or JSON for `Accept: application/json`. The token is in the address that `npm start` prints.
         *
         *     Access: Anyone with the token of the deployment can read every mail.
         */
        get: operations["getInboxByTokenByIdHtml"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/team-chat/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Threads, newest first, and a form for a mention
         * @description The embedded team chat, where people mention the content agent. Development only. The token is in the address that `npm start` prints.
         *
         *     Access: Anyone with the token of the deployment reads and writes every thread.
         */
        get: operations["getTeamChatByToken"];
        put?: never;
        /**
         * Mention the agent
         * @description The embedded team chat, where people mention the content agent. Development only. The token is in the address that `npm start` prints.
         *
         *     Access: Anyone with the token of the deployment reads and writes every thread.
         */
        post: operations["postTeamChatByToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/team-chat/{token}/{threadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One thread
         * @description The embedded team chat, where people mention the content agent. Development only. The token is in the address that `npm start` prints.
         *
         *     Access: Anyone with the token of the deployment reads and writes every thread.
         */
        get: operations["getTeamChatByTokenByThreadId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the console has to know before anybody has signed in
         * @description Access: Shows no rows and no secret.
         */
        get: operations["getConsoleSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who asks, and until when
         * @description Access: Shows the caller only.
         */
        get: operations["getConsoleMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whom the caller may act for
         * @description The values that `account_id` may have besides the own id: people who share an organization with the caller, and with a key the organizations themselves. A member of the admin organization may name any other one, too.
         *
         *     Access: Members of the organizations of the caller, by the name that they have there.
         */
        get: operations["getConsoleAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a credential for a key that expires
         * @description For pages that keep a credential in memory. The key gets 403 where a call gives lasting access or moves money, and never lasts longer than what it was asked with. Its text is shown this once.
         *
         *     Access: A key of the caller only. A key with an expiry, as a run has it, gets 403.
         */
        post: operations["postConsoleKey"];
        /**
         * End the key of this request
         * @description Access: The key that signs the request, and no other.
         */
        delete: operations["deleteConsoleKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All processes together: health, queues, rates, alerts, slow routes
         * @description Each process writes what it does into one row every five seconds; the answer puts the rows together, whichever process is asked.
         *
         *     Access: Members of the admin organization only; shows no rows of accounts.
         */
        get: operations["getOperatorOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The process lives
         * @description Access: Shows no rows.
         */
        get: operations["getHealthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Postgres, its schema and Temporal are ready for requests
         * @description Access: Shows no rows.
         */
        get: operations["getReadyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Numbers of this process in the Prometheus text format
         * @description Access: Shows no rows.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description Access: Shows no rows.
         */
        get: operations["getOpenapiJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reference": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The reference page
         * @description Access: Shows no rows.
         */
        get: operations["getReference"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reference/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A file of the reference page
         * @description Access: Shows no rows.
         */
        get: operations["getReferenceByFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Approvals: {
            /** @default [] */
            tools: string[];
            /**
             * @description Sought anywhere in a command of bash; * stands for any characters.
             * @default []
             */
            commands: string[];
            /**
             * @description Of a turn that nobody looks at: deny at once, or end the turn and wait for an answer.
             * @default deny
             * @enum {string}
             */
            headless: "deny" | "wait";
            /**
             * @description With wait: after this time the call is denied, and the agent goes on.
             * @default 86400
             */
            waitSeconds: number;
        };
        ErrorE2: {
            /** @constant */
            status: "error";
            error: string;
            message?: string;
            /** @description Path of the first failing field; on validation failures only. */
            missing_fields?: (string | number)[];
            /** @description On a 500 only. */
            request_id?: string;
        };
        Account: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "person" | "organization" | "artist";
            name: string | null;
            image: string | null;
            instruction: string | null;
            organization: string | null;
            job_title: string | null;
            role_type: string | null;
            company_name: string | null;
            knowledges: {
                name: string;
                url: string | null;
                type: string;
            }[];
            emails: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Key: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: date-time */
            created_at: string;
            expires_at: string | null;
            last_used: string | null;
        };
        Artist: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            account_id: string;
            name: string | null;
            image: string | null;
            instruction: string | null;
            label: string | null;
            knowledges: {
                name: string;
                url: string | null;
                type: string;
            }[];
            pinned: boolean;
            organization_ids: string[];
            account_socials: components["schemas"]["AccountSocial"][];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        AccountSocial: {
            /** Format: uuid */
            id: string;
            link: string;
            /** @enum {string} */
            type: "TIKTOK" | "PHOTO" | "X" | "THREADS" | "VIDEO" | "FACEBOOK" | "LINKEDIN" | "STREAMING" | "LIVE_EVENTS" | "OTHER";
            username: string | null;
            profile_url: string;
            avatar: string | null;
            bio: string | null;
            follower_count: number | null;
            following_count: number | null;
            region: string | null;
            /** Format: date-time */
            updated_at: string;
        };
        ArtistProfile: {
            /** Format: uuid */
            id: string;
            name: string | null;
            image: string | null;
            /** @description On the streaming platform. */
            followers: number | null;
            links: {
                /** @enum {string} */
                type: "TIKTOK" | "PHOTO" | "X" | "THREADS" | "VIDEO" | "FACEBOOK" | "LINKEDIN" | "STREAMING" | "LIVE_EVENTS" | "OTHER";
                url: string;
            }[];
            catalogs: {
                /** Format: uuid */
                id: string;
                name: string;
                songs: {
                    isrc: string;
                    name: string | null;
                    album: string | null;
                    artwork_url: string | null;
                    plays: number | null;
                    /** @description Middle of what the song adds to the valuation of the catalog, in USD; null without plays. */
                    estimate: number | null;
                }[];
            }[];
        };
        Social: {
            /** Format: uuid */
            social_id: string;
            /** @enum {string} */
            type: "TIKTOK" | "PHOTO" | "X" | "THREADS" | "VIDEO" | "FACEBOOK" | "LINKEDIN" | "STREAMING" | "LIVE_EVENTS" | "OTHER";
            username: string | null;
            profile_url: string;
            avatar: string | null;
            bio: string | null;
            follower_count: number | null;
            following_count: number | null;
            region: string | null;
            /** Format: date-time */
            updated_at: string;
            /** @description With days: followers by day (UTC), the first day first; days without a scrape are left out. */
            history?: {
                /** Format: date */
                date: string;
                follower_count: number;
            }[];
        };
        Post: {
            /** Format: uuid */
            id: string;
            post_url: string;
            /** Format: date-time */
            published_at: string;
            /**
             * Format: date-time
             * @description The same as published_at.
             */
            updated_at: string;
            views: number | null;
            likes: number | null;
            comments: number | null;
            reposts: number | null;
        };
        CatalogItem: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            song_count: number;
            measured_song_count: number;
            valuation: components["schemas"]["ValuationBand"] | null;
            owner: {
                /** Format: uuid */
                id: string;
                name: string | null;
                image: string | null;
                is_organization: boolean;
            };
        };
        /** @description Estimated value in USD, to the cent. */
        ValuationBand: {
            low: number;
            mid: number;
            high: number;
        };
        Catalog: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        CatalogSong: {
            /** Format: uuid */
            catalog_id: string;
            isrc: string;
            name: string | null;
            album: string | null;
            lyrics: string | null;
            /** Format: date-time */
            updated_at: string;
            artists: {
                /** Format: uuid */
                id: string;
                name: string | null;
                /** @description Epoch seconds of the last change of the artist's row. */
                timestamp: number | null;
            }[];
        };
        Measurement: {
            isrc: string;
            title: string | null;
            playcount: number;
            /** Format: date-time */
            measured_at: string;
            /** @description With since: plays gained, below 0 where the platform corrected itself; null without an earlier count. */
            plays_gained?: number | null;
        };
        /** @description A band in USD, and what it was derived from. */
        Valuation: {
            low: number;
            mid: number;
            high: number;
            measured_song_count: number;
            total_streams: number;
            /** Format: date-time */
            measured_at: string;
        };
        /** @description Credits are integer micro-dollars. */
        InsufficientCredits: {
            /** @constant */
            error: "insufficient_credits";
            remaining_credits: number;
            required_credits: number;
            /** Format: uri */
            billingUrl: string;
        };
        MeasurementJob: {
            /** Format: uuid */
            id: string;
            runId: string;
            /** @constant */
            source: "current";
            /** @enum {string} */
            state: "queued" | "running" | "done" | "failed";
            album_count: number;
            measured_song_count: number;
            estimated_cost_usd: number;
            credits_charged: number;
            catalog_id: string | null;
            error: ("provider_failed" | "no_play_counts" | "timeout") | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ErrorScrape: {
            /** @constant */
            status: "error";
            error: string;
            /** @description The same text as `error`. */
            message: string;
            /** @description Path of the first failing field; on validation failures only. */
            missing_fields?: (string | number)[];
            /** @description On a 500 only. */
            request_id?: string;
        };
        ScraperRun: {
            runId: string;
            datasetId: string;
            batch_run_id: string;
            platform: string | null;
            profile_url: string | null;
            /** @enum {string} */
            state: "QUEUED" | "EXECUTING" | "COMPLETED" | "FAILED";
            error: string | null;
            started_at: string | null;
            finished_at: string | null;
        };
        LiveEvent: {
            /** Format: date */
            date: string;
            venue: string;
            city: string;
            region: string | null;
            country: string;
            ticket_url: string | null;
            sold_out: boolean;
            /** @description The artist that was asked for comes first. */
            lineup: string[];
        };
        Session: {
            id: string;
            /** Format: uuid */
            userId: string;
            title: string;
            /** @enum {string} */
            status: "running" | "completed" | "failed" | "archived";
            repoOwner: string | null;
            repoName: string | null;
            branch: string | null;
            cloneUrl: string | null;
            isNewBranch: boolean;
            globalSkillRefs: ({
                source: string;
                skillName: string;
            } & {
                [key: string]: unknown;
            })[];
            sandboxState: {
                [key: string]: unknown;
            } | null;
            lifecycleState: ("provisioning" | "active" | "hibernating" | "hibernated" | "restoring" | "archived" | "failed") | null;
            lifecycleVersion: number;
            lastActivityAt: string | null;
            sandboxExpiresAt: string | null;
            hibernateAfter: string | null;
            lifecycleRunId: string | null;
            lifecycleError: string | null;
            linesAdded: number | null;
            linesRemoved: number | null;
            snapshotUrl: string | null;
            snapshotCreatedAt: string | null;
            snapshotSizeBytes: number | null;
            cachedDiff: {
                [key: string]: unknown;
            } | null;
            cachedDiffUpdatedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            artistId: string | null;
            /** @description Only where the session asks for approvals. */
            approvals?: components["schemas"]["ApprovalsOutput"];
        };
        Chat: {
            id: string;
            sessionId: string;
            title: string;
            modelId: string;
            /** @description Only where it was chosen. */
            autoCompact?: boolean;
            activeStreamId: string | null;
            lastAssistantMessageAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description Changes of a work tree against the commit that its sandbox began with. */
        Diff: {
            files: {
                path: string;
                oldPath?: string;
                /** @enum {string} */
                status: "modified" | "added" | "renamed" | "deleted";
                /** @enum {string} */
                stagingStatus?: "staged" | "unstaged" | "partial";
                additions: number;
                deletions: number;
                diff: string;
                localDiff?: string;
                generated?: boolean;
                truncated?: boolean;
            }[];
            summary: {
                totalFiles: number;
                totalAdditions: number;
                totalDeletions: number;
            };
            baseRef?: string;
        };
        Message: {
            id: string;
            /** @enum {string} */
            role: "user" | "assistant";
            parts: components["schemas"]["MessagePart"][];
            metadata?: components["schemas"]["MessageMetadata"];
        };
        /** @description The members depend on the type. */
        MessagePart: {
            /** @description text, reasoning, step-start, file, source-url, source-document, tool-<name> or data-<name>. */
            type: string;
            text?: string;
            /** @enum {string} */
            state?: "streaming" | "done" | "input-streaming" | "input-available" | "approval-requested" | "approval-responded" | "output-available" | "output-error" | "output-denied";
            toolCallId?: string;
            input?: unknown;
            output?: unknown;
            errorText?: string;
            preliminary?: boolean;
            /** @description Of a call that somebody has to approve. */
            approval?: {
                id: string;
                approved?: boolean;
                reason?: string;
            } & {
                [key: string]: unknown;
            };
            id?: string;
            data?: unknown;
            mediaType?: string;
            filename?: string;
            sourceId?: string;
            title?: string;
            url?: string;
            providerMetadata?: unknown;
        } & {
            [key: string]: unknown;
        };
        /** @description Of an assistant message; a user message has what it was sent with. */
        MessageMetadata: {
            /** @description The run that wrote the message last. */
            runId?: string;
            selectedModelId?: string;
            modelId?: string;
            lastStepUsage?: components["schemas"]["Usage"];
            totalMessageUsage?: components["schemas"]["Usage"];
            /** @description US dollars. */
            lastStepCost?: number;
            /** @description US dollars. */
            totalMessageCost?: number;
            lastStepFinishReason?: string;
            stepFinishReasons?: {
                finishReason: string;
                rawFinishReason?: string;
            }[];
            /** @enum {string} */
            endReason?: "natural" | "awaiting_user" | "step_limit" | "stopped" | "error" | "time_limit";
        } & {
            [key: string]: unknown;
        };
        /** @description A number is absent when the model did not report it. */
        Usage: {
            inputTokens?: number;
            inputTokenDetails: {
                noCacheTokens?: number;
                cacheReadTokens?: number;
                cacheWriteTokens?: number;
            };
            outputTokens?: number;
            outputTokenDetails: {
                textTokens?: number;
                reasoningTokens?: number;
            };
            totalTokens?: number;
        };
        Branch: {
            /** @description `main`, or `branch_` and a ULID. */
            id: string;
            /** @enum {string} */
            kind: "main" | "regenerate" | "edit";
            parentId: string | null;
            /** @description The last message that it shares with its parent; null when it shares none. */
            afterMessageId: string | null;
            /** @description The message that it has another version of. */
            versionOf: string | null;
            /** @description The run that began it. */
            runId: string | null;
            selected: boolean;
            usage: {
                inputTokens: number;
                cachedInputTokens: number;
                outputTokens: number;
            };
            /** @description Charged for the turns of its own messages, in millionths of a US dollar. */
            credits: number;
            /** @description What `restoreFiles` came to; null where it was not asked for. */
            files: {
                /** @enum {string} */
                state: "kept" | "restoring" | "restored";
                commit: string | null;
            } | null;
            /** Format: date-time */
            createdAt: string;
        };
        /** @description A read-only link to a chat as it was. Its address was told once. */
        Share: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            chatId: string;
            branch: string;
            /** @description The last message that it shows. */
            messageId: string;
            toolOutputs: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        ErrorPlain: {
            error: string;
            /** @description Path of the first failing field; on validation failures only. */
            missing_fields?: (string | number)[];
            /** @description On a 500 only. */
            request_id?: string;
        };
        ErrorSandbox: {
            /** @constant */
            status: "error";
            error: string;
            /** @description Path of the first failing field; on validation failures only. */
            missing_fields?: (string | number)[];
            /** @description On a 500 only. */
            request_id?: string;
        };
        ChatQueue: {
            held: boolean;
            heldBecause: ("requested" | "stopped" | "failed" | "awaiting_user" | "insufficient_credits" | "sandbox_not_initialized") | null;
            /** @description Of a queue that a failed turn holds: how that ended. */
            heldText: string | null;
            queue: components["schemas"]["QueueEntry"][];
            /** @description The `after` of the next page; absent on the last one. */
            nextAfter?: string;
        };
        QueueEntry: {
            id: string;
            messageId: string;
            /** @enum {string} */
            state: "waiting" | "accepted" | "steered" | "removed";
            /** @enum {string} */
            onBusy: "queue" | "interrupt" | "steer";
            /** @description From 1; null when it waits no more. */
            position: number | null;
            /** @description Of a message that waits: its text parts. */
            text: string | null;
            /** @description The run that it became or joined. */
            runId: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        ChatSummary: {
            /** Format: uuid */
            id: string;
            text: string;
            /** @description How many it stands for. */
            messages: number;
            fromMessageId: string;
            throughMessageId: string;
            modelId: string;
            /** @description Estimate of what it stands for. */
            tokensBefore: number;
            /** @description Estimate of its text. */
            tokensAfter: number;
            /** Format: date-time */
            createdAt: string;
        };
        OfferedModel: {
            /** @description As chats and runs take it: provider/model. */
            id: string;
            /** @description The model of new chats. */
            isDefault: boolean;
            /** @description Tokens. */
            contextWindow: number;
            /** @description Tokens of the window that are kept for the answer. */
            outputReserve: number;
            prices: components["schemas"]["ModelPrices"] | null;
            /** @description Null while no price is known. */
            pricesFrom: ("settings" | "gateway") | null;
            /** @description False when it is not set up or its last call went wrong; null when no call is known. */
            works: boolean | null;
            lastCall: {
                /** Format: date-time */
                at: string;
                /**
                 * @description refused: trying again cannot help, as with a wrong key. failed: it may.
                 * @enum {string}
                 */
                outcome: "answered" | "refused" | "failed";
            } | null;
        };
        /** @description Cached input without a price costs as much as any other. */
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
            /** Format: uuid */
            account_id: string;
            snapshot_id: string | null;
            expires_at: string | null;
            github_repo: string | null;
            created_at: string | null;
        };
        Task: {
            /** Format: uuid */
            id: string;
            title: string;
            prompt: string;
            schedule: string;
            timezone: string | null;
            /** Format: uuid */
            account_id: string;
            /** Format: uuid */
            artist_account_id: string;
            enabled: boolean | null;
            trigger_schedule_id: string | null;
            recent_runs: components["schemas"]["TaskRun"][];
            upcoming: string[];
            owner_email: string | null;
            artist_name: string | null;
            model: string | null;
            /** @description Only where the task asks for approvals. */
            approvals?: components["schemas"]["ApprovalsOutput"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        TaskRun: {
            id: string;
            /** @enum {string} */
            status: "QUEUED" | "DELAYED" | "EXECUTING" | "REATTEMPTING" | "COMPLETED" | "FAILED" | "CANCELED" | "CRASHED" | "SYSTEM_FAILURE" | "PENDING_VERSION" | "FROZEN" | "INTERRUPTED";
            taskIdentifier: string;
            title: string | null;
            idempotencyKey: string | null;
            version: string;
            isTest: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            startedAt: string | null;
            finishedAt: string | null;
            delayedUntil: string | null;
            expiredAt: string | null;
            ttl: null;
            tags: string[];
            metadata: {
                [key: string]: unknown;
            } | null;
            costInCents: number;
            baseCostInCents: number;
            durationMs: number;
            env: {
                id: string;
                name: string;
                user: null;
            };
            depth: number;
            batchId: null;
            /** @constant */
            triggerFunction: "trigger";
            payload?: unknown;
            output?: unknown;
            error?: {
                name: string;
                message: string;
                stackTrace: string;
            } | null;
            attempts?: {
                id: string;
                /** @enum {string} */
                status: "PENDING" | "EXECUTING" | "PAUSED" | "COMPLETED" | "FAILED" | "CANCELED";
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                updatedAt: string;
                startedAt: string | null;
                completedAt: string | null;
                error: {
                    name: string;
                    message: string;
                    stackTrace: string;
                } | null;
            }[];
            schedule?: {
                [key: string]: unknown;
            } | null;
            relatedRuns?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A limit of null is none. Nothing was written. */
        PlanLimit: {
            /** @constant */
            status: "error";
            /** @constant */
            error: "plan_limit";
            /** @enum {string} */
            limit: "task_count" | "min_cadence";
            message: string;
            /** @enum {string} */
            plan: "free" | "starter" | "pro";
            task_limit: number | null;
            min_cadence_minutes: number;
            current_task_count: number;
            /** Format: uri */
            billingUrl: string;
        };
        /** @description A 401 and a 403 have their status as `error`, and a `message`. */
        ErrorTasks: {
            /** @constant */
            status?: "error";
            error: string | number;
            message?: string;
            /** @description Path of the first failing field; on validation failures only. */
            missing_fields?: (string | number)[];
            /** @description On a 500 only. */
            request_id?: string;
        };
        ListedRun: {
            id: string;
            kind: string;
            /** @enum {string} */
            status: "queued" | "running" | "retrying" | "completed" | "failed" | "cancelled";
            title: string | null;
            tags: string[];
            /** Format: uuid */
            accountId: string;
            sessionId: string | null;
            chatId: string | null;
            taskId: string | null;
            parentRunId: string | null;
            childRunId: string | null;
            source: ("web" | "api") | null;
            modelId: string | null;
            /** Format: date-time */
            createdAt: string;
            startedAt: string | null;
            endedAt: string | null;
            durationMs: number;
            credits: number;
            endReason: string | null;
            error: {
                name: string;
                message: string;
            } | null;
            cancellable: boolean;
        };
        TimelineEntry: {
            id: string;
            parentId: string | null;
            /** @enum {string} */
            kind: "wait" | "step" | "attempt" | "tool" | "commit";
            name: string;
            /** @enum {string} */
            status: "waiting" | "running" | "completed" | "failed" | "lost" | "cancelled";
            startedAt: string | null;
            endedAt: string | null;
            durationMs: number | null;
            attempt: number | null;
            error: {
                name: string;
                message: string;
            } | null;
            model: {
                modelId: string;
                finishReason: string | null;
                inputTokens: number;
                cachedInputTokens: number;
                outputTokens: number;
                costUsd: string | null;
            } | null;
            input: string | null;
            output: string | null;
        };
        ErrorClaim: {
            /** @constant */
            status: "error";
            error: string;
            /** @description On a 500 only. */
            request_id?: string;
        };
        LedgerEntry: {
            id: number;
            /** @enum {string} */
            kind: "seed" | "refill" | "topup" | "grant" | "charge" | "refund";
            credits: number;
            usd: string;
            balance_after: number;
            reference: string;
            reason: string | null;
            source: ("web" | "api") | null;
            model_id: string | null;
            run_id: string | null;
            /** Format: date-time */
            created_at: string;
        };
        /** @description As the upload library reads it. */
        ErrorBlob: {
            error: {
                code: string;
                message: string;
            };
            /** @description On a 500 only. */
            request_id?: string;
        };
        MusicGeneration: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            status: "pending" | "processing" | "completed" | "failed";
            prompt: string;
            lyrics: string;
            model: string;
            duration_seconds: number | null;
            audio_url: string | null;
            error_message: ("The track could not be rendered." | "Rendering took too long." | "The track could not be stored." | "The media storage of the account is full: delete tracks or videos, or choose a larger plan.") | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ContentVideo: {
            runId: string;
            /** @enum {string} */
            status: "queued" | "running" | "retrying" | "completed" | "failed" | "cancelled";
            stage: string | null;
            message: string | null;
            artist_account_id: string | null;
            artist_name: string;
            template: string;
            lipsync: boolean;
            upscale: boolean;
            /** @enum {string} */
            caption_length: "none" | "short" | "medium" | "long";
            songs: string[];
            images: string[];
            videoSourceUrl: string | null;
            imageUrl: string | null;
            captionText: string;
            audio: {
                songTitle: string;
                startSeconds: number;
                durationSeconds: number;
            } | null;
            error: string | null;
            cancellable: boolean;
            /** Format: date-time */
            createdAt: string;
            endedAt: string | null;
        };
        ErrorE1: {
            error: number;
            message: string;
            /** @description On a 500 only. */
            request_id?: string;
        };
        ApprovalsOutput: {
            /** @default [] */
            tools: string[];
            /**
             * @description Sought anywhere in a command of bash; * stands for any characters.
             * @default []
             */
            commands: string[];
            /**
             * @description Of a turn that nobody looks at: deny at once, or end the turn and wait for an answer.
             * @default deny
             * @enum {string}
             */
            headless: "deny" | "wait";
            /**
             * @description With wait: after this time the call is denied, and the agent goes on.
             * @default 86400
             */
            waitSeconds: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getAccountsId: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        /** Format: uuid */
                        accountId: string;
                        /** Format: uuid */
                        account_id: string;
                    };
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getAccountsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        account: components["schemas"]["Account"];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    patchAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada Lovelace",
                 *       "job_title": "Manager"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    account_id?: string;
                    name?: string;
                    /** Format: uri */
                    image?: string;
                    instruction?: string;
                    organization?: string;
                    job_title?: string;
                    role_type?: string;
                    company_name?: string;
                    knowledges?: {
                        name: string;
                        /** Format: uri */
                        url: string;
                        type: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        account: components["schemas"]["Account"];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postAgentsSignup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com"
                 *     }
                 */
                "application/json": {
                    /** Format: email */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        account_id: string;
                        api_key: string | null;
                        message: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postAgentsVerify: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "code": "123456"
                 *     }
                 */
                "application/json": {
                    /** Format: email */
                    email: string;
                    code: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        account_id: string;
                        api_key: string | null;
                        message: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getKeys: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        keys: components["schemas"]["Key"][];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key_name": "My laptop"
                 *     }
                 */
                "application/json": {
                    key_name: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        key: string;
                        /** Format: uuid */
                        id: string;
                        name: string;
                        /** Format: date-time */
                        created_at: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    deleteKeys: {
        parameters: {
            query?: {
                id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "id": "3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        message: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getOrganizations: {
        parameters: {
            query?: {
                account_id?: string;
                state?: "member" | "invited";
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        organizations: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            organization_id: string;
                            organization_name: string | null;
                            organization_image: string | null;
                            /** @enum {string} */
                            state: "member" | "invited";
                        }[];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postOrganizations: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Northern Records"
                 *     }
                 */
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        organization: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getOrganizationsMembers: {
        parameters: {
            query: {
                organization_id: string;
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        members: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            account_id: string;
                            name: string | null;
                            /** @enum {string} */
                            state: "member" | "invited";
                            /** Format: date-time */
                            created_at: string;
                        }[];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postOrganizationsMembers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "organization_id": "c7a8e1f4-2d3b-4e5c-8f90-1a2b3c4d5e6f",
                 *       "email": "grace@example.com"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    organization_id: string;
                    /** Format: uuid */
                    account_id?: string;
                    /** Format: email */
                    email?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        account_id: string;
                        /** @enum {string} */
                        state: "member" | "invited";
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    deleteOrganizationsMembers: {
        parameters: {
            query: {
                organization_id: string;
                account_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postOrganizationsMembersAccept: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "organization_id": "c7a8e1f4-2d3b-4e5c-8f90-1a2b3c4d5e6f"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    organization_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        account_id: string;
                        /** @enum {string} */
                        state: "member" | "invited";
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getArtists: {
        parameters: {
            query?: {
                account_id?: string;
                organization_id?: string;
                /** @description The same as organization_id. */
                org_id?: string;
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        artists: components["schemas"]["Artist"][];
                        pagination: {
                            total_count: number;
                            limit: number;
                            offset: number;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postArtists: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nova Quartet",
                 *       "streaming_artist_id": "0LcJLqbBmaGUft1e9Mm8HV"
                 *     }
                 */
                "application/json": {
                    name: string;
                    streaming_artist_id?: string;
                    /** Format: uuid */
                    account_id?: string;
                    /** Format: uuid */
                    organization_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        artist: components["schemas"]["Artist"];
                    };
                };
            };
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        artist: components["schemas"]["Artist"];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postAccountsArtists: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "artist_id": "9b2d7c10-8e43-4f6a-b1c5-7e0f9d3a2c68"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    artist_id: string;
                    /** Format: uuid */
                    account_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        /** Format: uuid */
                        artist_id: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getArtistsByIdProfile: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        profile: components["schemas"]["ArtistProfile"];
                        pagination: {
                            total_count: number;
                            page: number;
                            limit: number;
                            total_pages: number;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    deleteArtistsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "account_id": "3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    account_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        /** @constant */
                        success: true;
                        /** Format: uuid */
                        artistId: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    patchArtistsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "label": "Northern Records",
                 *       "instruction": "Write in the first person."
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    account_id?: string;
                    /** Format: uuid */
                    organization_id?: string;
                    name?: string;
                    /** Format: uri */
                    image?: string;
                    instruction?: string;
                    label?: string;
                    knowledges?: {
                        name: string;
                        /** Format: uri */
                        url: string;
                        type: string;
                    }[];
                    pinned?: boolean;
                    /** @description TIKTOK, PHOTO, X, THREADS, VIDEO, FACEBOOK, LINKEDIN, STREAMING, LIVE_EVENTS, OTHER to the address of the profile there. Empty and null say nothing. */
                    profileUrls?: {
                        [key: string]: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        artist: components["schemas"]["Artist"];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postOrganizationsArtists: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "organization_id": "c7a8e1f4-2d3b-4e5c-8f90-1a2b3c4d5e6f",
                 *       "artist_id": "9b2d7c10-8e43-4f6a-b1c5-7e0f9d3a2c68"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    organization_id: string;
                    /** Format: uuid */
                    artist_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        /** Format: uuid */
                        id: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    deleteOrganizationsArtists: {
        parameters: {
            query: {
                organization_id: string;
                artist_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getArtistsByIdSocials: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                /** @description Shows the followers of each of so many days, today included. */
                days?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        socials: components["schemas"]["Social"][];
                        pagination: {
                            total_count: number;
                            page: number;
                            limit: number;
                            total_pages: number;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getArtistsByIdPosts: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        posts: components["schemas"]["Post"][];
                        pagination: {
                            total_count: number;
                            page: number;
                            limit: number;
                            total_pages: number;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    deleteArtistsByIdSocialsBySocialId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                socialId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        /** @constant */
                        success: true;
                        /** Format: uuid */
                        socialId: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getCatalogs: {
        parameters: {
            query?: {
                account_id?: string;
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        catalogs: components["schemas"]["CatalogItem"][];
                        pagination: {
                            total_count: number;
                            limit: number;
                            offset: number;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postCatalogs: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Early recordings"
                 *     }
                 */
                "application/json": {
                    name?: string;
                    /** Format: uuid */
                    snapshot?: string;
                    /** Format: uuid */
                    organization_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        catalog: components["schemas"]["Catalog"];
                        songs_added: number;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getAccountsByIdCatalogs: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        catalogs: components["schemas"]["CatalogItem"][];
                        pagination: {
                            total_count: number;
                            limit: number;
                            offset: number;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    deleteCatalogsByCatalogId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                catalogId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        /** Format: uuid */
                        catalog_id: string;
                        released_snapshot_ids: string[];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    patchCatalogsByCatalogId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                catalogId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Early recordings"
                 *     }
                 */
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        catalog: components["schemas"]["Catalog"];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getCatalogsSongs: {
        parameters: {
            query: {
                catalog_id: string;
                artistName?: string;
                page?: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        songs: components["schemas"]["CatalogSong"][];
                        pagination: {
                            total_count: number;
                            page: number;
                            limit: number;
                            total_pages: number;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postCatalogsSongs: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "songs": [
                 *         {
                 *           "catalog_id": "3b9aa2c1-4d6e-4f80-9a1b-2c3d4e5f6a7b",
                 *           "isrc": "GBAYE0601498",
                 *           "name": "Demo of June"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    songs: {
                        /** Format: uuid */
                        catalog_id: string;
                        isrc: string;
                        name?: string;
                        album?: string;
                        lyrics?: string;
                        /** @description Names, where the platform knows no artists of the song. */
                        artists?: string[];
                    }[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        songs: components["schemas"]["CatalogSong"][];
                        songs_added: number;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    deleteCatalogsSongs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                    songs: {
                        /** Format: uuid */
                        catalog_id: string;
                        isrc: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        songs: components["schemas"]["CatalogSong"][];
                        pagination: {
                            total_count: number;
                            page: number;
                            limit: number;
                            total_pages: number;
                        };
                        removed: number;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getCatalogsByCatalogIdMeasurements: {
        parameters: {
            query?: {
                account_id?: string;
                artist_account_id?: string;
                /** @description Shows for each song what it gained since its latest count of this time. */
                since?: string;
                page?: number;
                limit?: number;
            };
            header?: never;
            path: {
                catalogId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        measurements: components["schemas"]["Measurement"][];
                        pagination: {
                            total_count: number;
                            page: number;
                            limit: number;
                            total_pages: number;
                        };
                        measured_song_count: number;
                        total_streams: number;
                        catalog_age_years: number;
                        valuation: components["schemas"]["ValuationBand"] | null;
                        artist_account_id: string | null;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getCatalogsByCatalogIdValuations: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                catalogId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        valuations: components["schemas"]["Valuation"][];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postValuation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "streaming_artist_id": "0LcJLqbBmaGUft1e9Mm8HV"
                 *     }
                 */
                "application/json": {
                    streaming_artist_id: string;
                    /** Format: uuid */
                    organization_id?: string;
                    /** Format: uuid */
                    account_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        catalog: components["schemas"]["Catalog"];
                        band: components["schemas"]["ValuationBand"];
                        /** @description Tracks with a captured play count. */
                        songs_measured: number;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Not enough credits. Nothing was written. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientCredits"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Not done in time; it may still be going on. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getResearchMeasurementJobs: {
        parameters: {
            query?: {
                account_id?: string;
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        jobs: components["schemas"]["MeasurementJob"][];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postResearchMeasurementJobs: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
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
                    scope: {
                        /** Format: uuid */
                        catalog_id?: string;
                        album_ids?: string[];
                        isrcs?: string[];
                    };
                    /** @constant */
                    source: "current";
                    /**
                     * @default [
                     *       "STREAMING"
                     *     ]
                     */
                    platforms?: "STREAMING"[];
                    /** Format: uuid */
                    account_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        /** @constant */
                        source: "current";
                        /** Format: uuid */
                        id: string;
                        runId: string;
                        /** @enum {string} */
                        state: "queued" | "running" | "done" | "failed";
                        album_count: number;
                        estimated_cost_usd: number;
                        credits: number;
                        reused: boolean;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Not enough credits. Nothing was written. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientCredits"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getResearchMeasurementJobsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        job: components["schemas"]["MeasurementJob"];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postArtistSocialsScrape: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "artist_account_id": "7c1f0a52-6f0e-4e0f-8b57-2a2b54d1c7aa",
                 *       "posts": 20
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    artist_account_id: string;
                    posts?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        runId: string;
                        datasetId: string;
                        error: string | null;
                        runs: {
                            platform: string;
                            profile_url: string;
                            runId: string | null;
                            datasetId: string | null;
                            error: string | null;
                        }[];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorScrape"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorScrape"];
                };
            };
            /** @description Not enough credits. Nothing was written. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientCredits"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorScrape"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorScrape"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorScrape"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorScrape"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorScrape"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorScrape"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorScrape"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorScrape"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorScrape"];
                };
            };
        };
    };
    postSocialsByIdScrape: {
        parameters: {
            query?: {
                posts?: number;
            };
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "posts": 20
                 *     }
                 */
                "application/json": {
                    posts?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        runId: string;
                        datasetId: string;
                        error: string | null;
                        runs: {
                            platform: string;
                            profile_url: string;
                            runId: string | null;
                            datasetId: string | null;
                            error: string | null;
                        }[];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorScrape"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorScrape"];
                };
            };
            /** @description Not enough credits. Nothing was written. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientCredits"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorScrape"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorScrape"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorScrape"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorScrape"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorScrape"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorScrape"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorScrape"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorScrape"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorScrape"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorScrape"];
                };
            };
        };
    };
    getScrapersRunsByRunId: {
        parameters: {
            query?: {
                account_id?: string;
                page?: number;
                limit?: number;
            };
            header?: never;
            path: {
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        run: {
                            runId: string;
                            datasetId: string;
                            batch_run_id: string;
                            platform: string | null;
                            profile_url: string | null;
                            /** @enum {string} */
                            state: "QUEUED" | "EXECUTING" | "COMPLETED" | "FAILED";
                            error: string | null;
                            started_at: string | null;
                            finished_at: string | null;
                            runs?: components["schemas"]["ScraperRun"][];
                        };
                        data: {
                            profile: components["schemas"]["Social"] | null;
                            posts: components["schemas"]["Post"][];
                        } | null;
                        pagination: {
                            total_count: number;
                            page: number;
                            limit: number;
                            total_pages: number;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postWebhooksScraper: {
        parameters: {
            query?: {
                run?: string;
                token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        /** @constant */
                        ignored?: true;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postResearchEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "artist_id": "7c1f0a52-6f0e-4e0f-8b57-2a2b54d1c7aa",
                 *       "date": "upcoming"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    artist_id: string;
                    /**
                     * @default upcoming
                     * @enum {string}
                     */
                    date?: "upcoming" | "past" | "all";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        events: components["schemas"]["LiveEvent"][];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Not enough credits. Nothing was written. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientCredits"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getSessions: {
        parameters: {
            query?: {
                status?: "all" | "active" | "archived";
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sessions: {
                            id: string;
                            title: string;
                            /** @enum {string} */
                            status: "running" | "completed" | "failed" | "archived";
                            repoOwner: string | null;
                            repoName: string | null;
                            branch: string | null;
                            linesAdded: number | null;
                            linesRemoved: number | null;
                            /** Format: date-time */
                            createdAt: string;
                            artistId: string | null;
                            /** Format: date-time */
                            lastActivityAt: string;
                            hasUnread: boolean;
                            hasStreaming: boolean;
                            latestChatId: string | null;
                        }[];
                        archivedCount: number;
                        pagination: {
                            limit: number;
                            offset: number;
                            hasMore: boolean;
                            nextOffset: number | null;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postSessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "title": "Tour plan"
                 *     }
                 */
                "application/json": {
                    title?: string;
                    /** Format: uuid */
                    organizationId?: string;
                    /** Format: uuid */
                    artistId?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        session: components["schemas"]["Session"];
                        chat: components["schemas"]["Chat"];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getSessionsBySessionId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        session: components["schemas"]["Session"];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    deleteSessionsBySessionId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Not done in time; it may still be going on. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    patchSessionsBySessionId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "title": "Tour plan for autumn"
                 *     }
                 */
                "application/json": {
                    title?: string;
                    /** @enum {string} */
                    status?: "running" | "completed" | "failed" | "archived";
                    linesAdded?: number;
                    linesRemoved?: number;
                    lifecycleVersion?: number;
                    approvals?: components["schemas"]["Approvals"] | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        session: components["schemas"]["Session"];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Not done in time; it may still be going on. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getSessionsBySessionIdDiff: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Diff"];
                };
            };
            /** @description The sandbox of the session is not active. The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getSessionsBySessionIdDiffCached: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Diff"];
                        /** Format: date-time */
                        cachedAt: string;
                        isStale: boolean;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getSessionsBySessionIdChats: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        chats: {
                            id: string;
                            sessionId: string;
                            title: string;
                            modelId: string;
                            /** @description Only where it was chosen. */
                            autoCompact?: boolean;
                            activeStreamId: string | null;
                            lastAssistantMessageAt: string | null;
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            updatedAt: string;
                            hasUnread: boolean;
                            isStreaming: boolean;
                        }[];
                        defaultModelId: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postSessionsBySessionIdChats: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "id": "5d4c3b2a-1f0e-4d9c-8b7a-6f5e4d3c2b1a"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        chat: components["schemas"]["Chat"];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getSessionsBySessionIdChatsByChatId: {
        parameters: {
            query?: {
                limit?: number;
                before?: string;
                /** @description Id of a branch; without it the selected one. */
                branch?: string;
            };
            header?: never;
            path: {
                sessionId: string;
                chatId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        chat: components["schemas"]["Chat"];
                        /** @description The branch that `messages` are of. */
                        branch: string;
                        isStreaming: boolean;
                        resumeIndex: number | null;
                        messages: components["schemas"]["Message"][];
                        nextBefore: string | null;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    deleteSessionsBySessionIdChatsByChatId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                chatId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Not done in time; it may still be going on. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    patchSessionsBySessionIdChatsByChatId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                chatId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Set list"
                 *     }
                 */
                "application/json": {
                    title?: string;
                    modelId?: string;
                    autoCompact?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        chat: components["schemas"]["Chat"];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postSessionsBySessionIdChatsByChatIdRead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                chatId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getChats: {
        parameters: {
            query?: {
                account_id?: string;
                artist_account_id?: string;
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        chats: {
                            id: string;
                            title: string;
                            /** Format: uuid */
                            accountId: string;
                            sessionId: string;
                            /** Format: date-time */
                            updatedAt: string;
                            artistId: string | null;
                        }[];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getSessionsBySessionIdChatsByChatIdBranches: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                chatId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        branches: components["schemas"]["Branch"][];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postSessionsBySessionIdChatsByChatIdBranchesByBranchIdSelect: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                chatId: string;
                branchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        branch: components["schemas"]["Branch"];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postSessionsBySessionIdChatsByChatIdCopy: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                sessionId: string;
                chatId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "to": "session",
                 *       "title": "Second try"
                 *     }
                 */
                "application/json": {
                    messageId?: string;
                    branch?: string;
                    /**
                     * @default chat
                     * @enum {string}
                     */
                    to?: "chat" | "session";
                    title?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        session: components["schemas"]["Session"] | null;
                        chat: components["schemas"]["Chat"];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getSessionsBySessionIdChatsByChatIdShares: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                chatId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        shares: components["schemas"]["Share"][];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postSessionsBySessionIdChatsByChatIdShares: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                chatId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "expiresInDays": 7
                 *     }
                 */
                "application/json": {
                    /** @default 30 */
                    expiresInDays?: number;
                    /** @default false */
                    toolOutputs?: boolean;
                    messageId?: string;
                    branch?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        share: components["schemas"]["Share"];
                        url: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    deleteSessionsBySessionIdChatsByChatIdSharesByShareId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                chatId: string;
                shareId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getShareByToken: {
        parameters: {
            query?: {
                before?: string;
            };
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The end of the chat, or what is before the message `before`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The link is unknown, revoked or expired. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
        };
    };
    postSandbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sessionId": "5d4c3b2a-1f0e-4d9c-8b7a-6f5e4d3c2b1a"
                 *     }
                 */
                "application/json": {
                    sessionId: string;
                    repoUrl?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        createdAt: number;
                        timeout: number;
                        currentBranch: string;
                        mode: string;
                        timing: {
                            readyMs: number;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description Not done in time; it may still be going on. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
        };
    };
    getSandboxStatus: {
        parameters: {
            query: {
                sessionId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "active" | "no_sandbox";
                        hasSnapshot: boolean;
                        lifecycleVersion: number;
                        lifecycle: {
                            serverTime: number;
                            state: string | null;
                            lastActivityAt: number | null;
                            hibernateAfter: number | null;
                            sandboxExpiresAt: number | null;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
        };
    };
    getGitByOwnerByRepositoryInfoRefs: {
        parameters: {
            query: {
                service: "git-upload-pack" | "git-receive-pack";
            };
            header?: never;
            path: {
                owner: string;
                repository: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Git's own protocol. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postGitByOwnerByRepositoryGitUploadPack: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                owner: string;
                repository: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-git-upload-pack-request": unknown;
            };
        };
        responses: {
            /** @description Git's own protocol. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-git-upload-pack-result": string;
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postGitByOwnerByRepositoryGitReceivePack: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                owner: string;
                repository: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-git-receive-pack-request": unknown;
            };
        };
        responses: {
            /** @description Git's own protocol. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-git-receive-pack-result": string;
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getSandboxReconnect: {
        parameters: {
            query: {
                sessionId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "no_sandbox";
                        hasSnapshot: boolean;
                        lifecycle: {
                            serverTime: number;
                            state: string | null;
                            lastActivityAt: number | null;
                            hibernateAfter: number | null;
                            sandboxExpiresAt: number | null;
                        };
                    } | {
                        /** @constant */
                        status: "connected";
                        expiresAt?: number;
                        hasSnapshot: boolean;
                        lifecycle: {
                            serverTime: number;
                            state: string | null;
                            lastActivityAt: number | null;
                            hibernateAfter: number | null;
                            sandboxExpiresAt: number | null;
                        };
                    } | {
                        /** @constant */
                        status: "expired";
                        hasSnapshot: boolean;
                        lifecycle: {
                            serverTime: number;
                            state: string | null;
                            lastActivityAt: number | null;
                            hibernateAfter: number | null;
                            sandboxExpiresAt: number | null;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
        };
    };
    postSandboxActivity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sessionId": "5d4c3b2a-1f0e-4d9c-8b7a-6f5e4d3c2b1a"
                 *     }
                 */
                "application/json": {
                    sessionId: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        lastActivityAt: number;
                        hibernateAfter: number;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. The sandbox of the session is not active. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
        };
    };
    postSandboxExtend: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sessionId": "5d4c3b2a-1f0e-4d9c-8b7a-6f5e4d3c2b1a"
                 *     }
                 */
                "application/json": {
                    sessionId: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        expiresAt: number;
                        extendedByMs: number;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. The sandbox of the session is not active. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
        };
    };
    postChat: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
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
                    messages: {
                        id: string;
                        /** @enum {string} */
                        role: "user" | "assistant" | "system";
                        content?: string;
                        parts?: ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        metadata?: {
                            [key: string]: unknown;
                        };
                    }[];
                    /** Format: uuid */
                    chatId: string;
                    /** Format: uuid */
                    sessionId: string;
                    /**
                     * @description What becomes of the message when the chat has a live run. Absent: reject.
                     * @enum {string}
                     */
                    onBusy?: "reject" | "queue" | "interrupt" | "steer";
                    context?: {
                        contextLimit: number;
                    };
                    /** @enum {string} */
                    trigger?: "submit-message" | "regenerate-message";
                    messageId?: string;
                    editOf?: string;
                    restoreFiles?: boolean;
                };
            };
        };
        responses: {
            /** @description UI message parts, one event each, then `[DONE]` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        /** @description Index of the frame. */
                        id?: string;
                        /**
                         * @description Never sent: what readers assume.
                         * @constant
                         */
                        event?: "message";
                        /**
                         * @description A frame as JSON, an object with a `type`; behind the frame of the type `finish`, once, `[DONE]`.
                         * @example {"type":"text-delta","id":"txt_0_1_0","delta":"Hello"}
                         * @example [DONE]
                         */
                        data: string;
                    };
                };
            };
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        queued: {
                            id: string;
                            position: number;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. The sandbox of the session is not active. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Not enough credits. Nothing was written. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientCredits"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getChatByChatIdStream: {
        parameters: {
            query?: {
                account_id?: string;
                startIndex?: number;
                runId?: string;
            };
            header?: {
                /** @description Index of the last frame received: the stream continues after it. Wins over `startIndex`. */
                "Last-Event-ID"?: string;
            };
            path: {
                chatId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Frames from the start index, live until the run ends, then `[DONE]` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        /** @description Index of the frame. */
                        id?: string;
                        /**
                         * @description Never sent: what readers assume.
                         * @constant
                         */
                        event?: "message";
                        /**
                         * @description A frame as JSON, an object with a `type`; behind the frame of the type `finish`, once, `[DONE]`.
                         * @example {"type":"text-delta","id":"txt_0_1_0","delta":"Hello"}
                         * @example [DONE]
                         */
                        data: string;
                    };
                };
            };
            /** @description No live run */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postChatByChatIdStop: {
        parameters: {
            query?: {
                account_id?: string;
            };
            header?: never;
            path: {
                chatId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        stopped: boolean;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Not done in time; it may still be going on. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postChatRuns: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "prompt": "Summarise what was said about the tour."
                 *     }
                 */
                "application/json": {
                    prompt?: string;
                    messages?: {
                        id: string;
                        /** @enum {string} */
                        role: "user" | "assistant" | "system";
                        content?: string;
                        parts?: ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        metadata?: {
                            [key: string]: unknown;
                        };
                    }[];
                    /** Format: uuid */
                    artistId?: string;
                    /** Format: uuid */
                    accountId?: string;
                    /** Format: uuid */
                    organizationId?: string;
                    model?: string;
                    title?: string;
                    /** Format: uuid */
                    chatId?: string;
                    /**
                     * @description What becomes of the message when the chat has a live run. Absent: reject.
                     * @enum {string}
                     */
                    onBusy?: "reject" | "queue" | "interrupt" | "steer";
                    approvals?: components["schemas"]["Approvals"];
                };
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        runId: string;
                        /** Format: uuid */
                        chatId: string;
                        /** Format: uuid */
                        sessionId: string;
                    } | {
                        queued: {
                            id: string;
                            position: number;
                        };
                        /** Format: uuid */
                        chatId: string;
                        /** Format: uuid */
                        sessionId: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Not enough credits. Nothing was written. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientCredits"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getChatRunsByRunId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        runId: string;
                        /** @enum {string} */
                        status: "queued" | "running" | "completed" | "failed" | "cancelled";
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getChatByChatIdQueue: {
        parameters: {
            query?: {
                account_id?: string;
                after?: string;
            };
            header?: never;
            path: {
                chatId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatQueue"];
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    deleteChatByChatIdQueue: {
        parameters: {
            query?: {
                account_id?: string;
            };
            header?: never;
            path: {
                chatId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        removed: number;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getChatByChatIdQueueByQueueId: {
        parameters: {
            query?: {
                account_id?: string;
            };
            header?: never;
            path: {
                chatId: string;
                queueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueueEntry"];
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    deleteChatByChatIdQueueByQueueId: {
        parameters: {
            query?: {
                account_id?: string;
            };
            header?: never;
            path: {
                chatId: string;
                queueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    patchChatByChatIdQueueByQueueId: {
        parameters: {
            query?: {
                account_id?: string;
            };
            header?: never;
            path: {
                chatId: string;
                queueId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "position": 1
                 *     }
                 */
                "application/json": {
                    text?: string;
                    position?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueueEntry"];
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postChatByChatIdQueueHold: {
        parameters: {
            query?: {
                account_id?: string;
            };
            header?: never;
            path: {
                chatId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatQueue"];
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postChatByChatIdQueueResume: {
        parameters: {
            query?: {
                account_id?: string;
            };
            header?: never;
            path: {
                chatId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatQueue"];
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postChatByChatIdCompact: {
        parameters: {
            query?: {
                account_id?: string;
            };
            header?: never;
            path: {
                chatId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summary: components["schemas"]["ChatSummary"];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Not enough credits. Nothing was written. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientCredits"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Not done in time; it may still be going on. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getChatByChatIdSummaries: {
        parameters: {
            query?: {
                account_id?: string;
            };
            header?: never;
            path: {
                chatId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summaries: components["schemas"]["ChatSummary"][];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getAiModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        models: components["schemas"]["OfferedModel"][];
                        anyModel: boolean;
                    };
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getSandboxes: {
        parameters: {
            query?: {
                sandbox_id?: string;
                account_id?: string;
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        sandboxes: {
                            sandboxId: string;
                            /** @enum {string} */
                            sandboxStatus: "pending" | "running" | "stopping" | "stopped" | "failed" | "aborted" | "snapshotting";
                            timeout: number;
                            /** Format: date-time */
                            createdAt: string;
                        }[];
                        snapshot_id: string | null;
                        github_repo: string | null;
                        filetree: {
                            path: string;
                            /** @enum {string} */
                            type: "blob" | "tree";
                            sha: string;
                            size?: number;
                        }[] | null;
                        /** @constant */
                        filetree_truncated?: true;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
        };
    };
    deleteSandboxes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "account_id": "3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    account_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        deleted_snapshot: components["schemas"]["SnapshotRecord"] | null;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "error";
                        error: string;
                        /** @description Path of the first failing field; on validation failures only. */
                        missing_fields?: (string | number)[];
                        /** @description On a 500 only. */
                        request_id?: string;
                        deleted_snapshot: null;
                    };
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
        };
    };
    postSandboxesSetup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "account_id": "3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    account_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        runId: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
        };
    };
    postSandboxesStagedFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description What was asked for could not be done. A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
        };
    };
    postSandboxesFiles: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
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
                    files: {
                        url: string;
                        name: string;
                    }[];
                    /** @default  */
                    path?: string;
                    message?: string;
                    /** Format: uuid */
                    account_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        uploaded: {
                            path: string;
                            sha: string;
                        }[];
                        errors?: string[];
                        /** @constant */
                        status: "success";
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description What was asked for could not be done. A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description Not done in time; it may still be going on. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
        };
    };
    getSandboxesFile: {
        parameters: {
            query: {
                path: string;
                account_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        content: string;
                        /** @constant */
                        encoding?: "base64";
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorSandbox"];
                };
            };
        };
    };
    getTasks: {
        parameters: {
            query?: {
                id?: string;
                account_id?: string;
                artist_account_id?: string;
                enabled?: "true" | "false";
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        tasks: components["schemas"]["Task"][];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postTasks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Weekly numbers",
                 *       "prompt": "Mail me the streams of this week.",
                 *       "schedule": "0 9 * * 1",
                 *       "timezone": "Europe/Berlin",
                 *       "artist_account_id": "9b2d7c10-8e43-4f6a-b1c5-7e0f9d3a2c68"
                 *     }
                 */
                "application/json": {
                    title: string;
                    prompt: string;
                    schedule: string;
                    /** Format: uuid */
                    artist_account_id: string;
                    /** Format: uuid */
                    account_id?: string;
                    model?: string;
                    /** @default UTC */
                    timezone?: string;
                    approvals?: components["schemas"]["Approvals"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        tasks: components["schemas"]["Task"][];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The plan of the owner does not allow it. Nothing was written. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanLimit"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    deleteTasks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    patchTasks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
                    /** Format: uuid */
                    id: string;
                    title?: string;
                    prompt?: string;
                    schedule?: string;
                    model?: string;
                    timezone?: string;
                    /** Format: uuid */
                    account_id?: string;
                    /** Format: uuid */
                    artist_account_id?: string;
                    enabled?: boolean | null;
                    approvals?: components["schemas"]["Approvals"] | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        tasks: components["schemas"]["Task"][];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorTasks"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorTasks"];
                };
            };
            /** @description The plan of the owner does not allow it. Nothing was written. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanLimit"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorTasks"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorTasks"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorTasks"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorTasks"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorTasks"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorTasks"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorTasks"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorTasks"];
                };
            };
        };
    };
    getTasksRuns: {
        parameters: {
            query?: {
                runId?: string;
                account_id?: string;
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        runs: components["schemas"]["TaskRun"][];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postTasksRuns: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        runId: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    deleteTasksRuns: {
        parameters: {
            query: {
                runId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Not done in time; it may still be going on. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getRuns: {
        parameters: {
            query?: {
                account_id?: string;
                kind?: string;
                status?: string;
                tag?: string;
                session_id?: string;
                chat_id?: string;
                task_id?: string;
                from?: string;
                to?: string;
                children?: "true" | "false";
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        runs: components["schemas"]["ListedRun"][];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getRunsByRunIdTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        run: components["schemas"]["ListedRun"];
                        job: {
                            payload: unknown;
                            output: unknown;
                            metadata: {
                                [key: string]: unknown;
                            } | null;
                            version: string;
                        } | null;
                        entries: components["schemas"]["TimelineEntry"][];
                        isTruncated: boolean;
                        keptUntil: string | null;
                        isExpired: boolean;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postCreditsSessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "credits": 5000000
                 *     }
                 */
                "application/json": {
                    /** @description 1,000,000 credits = 1.00 USD. The fee is 2.9% + 0.30 USD. */
                    credits: number;
                    /** Format: uri */
                    successUrl?: string;
                    /** Format: uuid */
                    accountId?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        paymentIntentId: string;
                        creditsPurchased: number;
                        /** @description Credits and fee, in US cents. */
                        totalCents: number;
                    } | {
                        id: string;
                        /** Format: uri */
                        url: string;
                        /** @description Why the card on file was not charged. */
                        declineReason?: {
                            code: string;
                            message: string;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
        };
    };
    postWebhooksPayments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        received: true;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
        };
    };
    getAccountsByIdPaymentMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        account_id: string;
                        card: {
                            brand: string;
                            last4: string;
                            exp_month: number;
                            exp_year: number;
                            funding: string;
                        } | null;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
        };
    };
    postAccountsByIdPaymentMethod: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    /** Format: uri */
                    successUrl?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** Format: uri */
                        url: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
        };
    };
    deleteAccountsByIdPaymentMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No card is on file. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
        };
    };
    postSubscriptionsCardOnFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "accountId": "3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42"
                 *     }
                 */
                "application/json": {
                    /** Format: uri */
                    successUrl?: string;
                    /** Format: uuid */
                    accountId?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** Format: uri */
                        url: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
        };
    };
    getAccountsByIdPayments: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        payments: {
                            /** Format: uuid */
                            id: string;
                            amount_cents: number;
                            credits: number;
                            /** @enum {string} */
                            state: "created" | "pending" | "paid" | "failed" | "mismatch";
                            /** Format: date-time */
                            created_at: string;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
        };
    };
    getAccountsByIdAutoTopUp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        account_id: string;
                        enabled: boolean;
                        amountCents: number | null;
                        thresholdCents: number | null;
                        lastRunAt: string | null;
                        lastError: string | null;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
        };
    };
    putAccountsByIdAutoTopUp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
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
                    enabled: boolean;
                    amountCents?: number;
                    thresholdCents?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        account_id: string;
                        enabled: boolean;
                        amountCents: number | null;
                        thresholdCents: number | null;
                        lastRunAt: string | null;
                        lastError: string | null;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
        };
    };
    postSubscriptionsPortal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "accountId": "3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42"
                 *     }
                 */
                "application/json": {
                    /** Format: uri */
                    returnUrl?: string;
                    /** Format: uuid */
                    accountId?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** Format: uri */
                        url: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
        };
    };
    postAccountsByIdPortal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    /** Format: uri */
                    returnUrl?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** Format: uri */
                        url: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
        };
    };
    postSubscriptionsSessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "plan": "starter"
                 *     }
                 */
                "application/json": {
                    /**
                     * @default pro
                     * @enum {string}
                     */
                    plan?: "starter" | "pro";
                    /** Format: uri */
                    successUrl?: string;
                    /** Format: uri */
                    cancelUrl?: string;
                    /** Format: uuid */
                    accountId?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** Format: uri */
                        url: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
        };
    };
    postSubscriptionsClaim: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "session_id": "cs_test_a1b2c3d4e5f6"
                 *     }
                 */
                "application/json": {
                    session_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        subscription_id: string;
                        /** @enum {string} */
                        plan: "starter" | "pro";
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorClaim"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorClaim"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorClaim"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorClaim"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorClaim"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorClaim"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorClaim"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorClaim"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorClaim"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorClaim"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorClaim"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorClaim"];
                };
            };
        };
    };
    getAccountsByIdSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        isPro: boolean;
                        /** @enum {string} */
                        status: "active" | "trialing" | "past_due" | "canceled" | "none";
                        plan: ("starter" | "pro") | null;
                        source: ("account" | "organization") | null;
                        name: string | null;
                        amountCents: number | null;
                        currency: string | null;
                        interval: string | null;
                        currentPeriodEnd: string | null;
                        cancelAtPeriodEnd: boolean | null;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
        };
    };
    getAccountsByIdCredits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        account_id: string;
                        remaining_credits: number;
                        reserved_credits: number;
                        total_credits: number;
                        used_credits: number;
                        /** @enum {string} */
                        plan: "free" | "starter" | "pro";
                        is_pro: boolean;
                        timestamp: string | null;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
        };
    };
    getAccountsByIdLedger: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        account_id: string;
                        entries: components["schemas"]["LedgerEntry"][];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
        };
    };
    getAccountsByIdUsage: {
        parameters: {
            query?: {
                limit?: number;
                sort?: "created_at" | "cost";
                cursor?: string;
                from?: string;
                to?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        account_id: string;
                        period: {
                            /** Format: date-time */
                            from: string;
                            /** Format: date-time */
                            to: string;
                        };
                        total_credits_deducted: number;
                        total_usd: string;
                        events: {
                            id: string;
                            /** @enum {string} */
                            kind: "charge" | "refund";
                            credits: number;
                            usd: string;
                            /** @enum {string} */
                            source: "web" | "api";
                            agent_type: string | null;
                            provider: string | null;
                            model_id: string | null;
                            input_tokens: number;
                            cached_input_tokens: number;
                            output_tokens: number;
                            tool_call_count: number;
                            resource_url: string | null;
                            /** Format: date-time */
                            created_at: string;
                        }[];
                        next_cursor: string | null;
                        /** @enum {string} */
                        series_bucket?: "hour" | "day" | "week";
                        series?: {
                            /** Format: date-time */
                            start: string;
                            credits: number;
                            by_source: {
                                web: number;
                                api: number;
                            };
                        }[];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
        };
    };
    getAccountsByIdMedia: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        account_id: string;
                        /** @description Bytes of finished media, with those of what is being stored now. */
                        used_bytes: number;
                        /** @description Bytes that the plan allows; null: any number. */
                        quota_bytes: number | null;
                        /** @enum {string} */
                        plan: "free" | "starter" | "pro";
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
        };
    };
    putBlob: {
        parameters: {
            query: {
                pathname: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uri */
                        url: string;
                        /** Format: uri */
                        downloadUrl: string;
                        pathname: string;
                        contentType: string;
                        contentDisposition: string;
                        etag: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBlob"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBlob"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBlob"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBlob"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBlob"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBlob"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBlob"];
                };
            };
        };
    };
    postBlobMpu: {
        parameters: {
            query: {
                pathname: string;
            };
            header: {
                "x-mpu-action": "create" | "upload" | "complete";
                /** @description As `create` answered, percent-encoded. */
                "x-mpu-key"?: string;
                /** @description As `create` answered. */
                "x-mpu-upload-id"?: string;
                /** @description Of `upload`. */
                "x-mpu-part-number"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uri */
                        url: string;
                        /** Format: uri */
                        downloadUrl: string;
                        pathname: string;
                        contentType: string;
                        contentDisposition: string;
                        etag: string;
                    } | {
                        uploadId: string;
                        key: string;
                    } | {
                        etag: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBlob"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBlob"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBlob"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBlob"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBlob"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBlob"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBlob"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBlob"];
                };
            };
        };
    };
    getMediaByFolderByName: {
        parameters: {
            query?: never;
            header?: {
                /** @description One range: `bytes=0-499`, `bytes=500-`, `bytes=-500`. */
                range?: string;
                "if-range"?: string;
                "if-none-match"?: string;
                "if-modified-since"?: string;
            };
            path: {
                folder: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The range of it, named by Content-Range. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The client has it already. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
            /** @description The range begins behind the end. */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorPlain"];
                };
            };
        };
    };
    getMusic: {
        parameters: {
            query?: {
                account_id?: string;
                status?: "pending" | "processing" | "completed" | "failed";
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        generations: components["schemas"]["MusicGeneration"][];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postMusic: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
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
                    prompt: string;
                    lyrics: string;
                    /** @default 60 */
                    duration?: number;
                    seed?: number;
                    /** @default 30 */
                    num_inference_steps?: number;
                    /** @default 1.7 */
                    guidance_scale?: number;
                    /** Format: uuid */
                    account_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        generation: components["schemas"]["MusicGeneration"];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Not enough credits. Nothing was written. The plan of the owner does not allow it. Nothing was written. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientCredits"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getMusicByGenerationId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                generationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        generation: components["schemas"]["MusicGeneration"];
                        logs: {
                            /** Format: date-time */
                            at: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    deleteMusicByGenerationId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                generationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postWebhooksRenders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        /** @constant */
                        ignored?: true;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getContentTemplates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        templates: {
                            name: string;
                            description: string;
                        }[];
                    };
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postContentCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
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
                    /** Format: uuid */
                    artist_account_id: string;
                    /**
                     * @default artist-caption-bedroom
                     * @enum {string}
                     */
                    template?: "artist-caption-bedroom" | "artist-caption-outside" | "artist-caption-stage" | "album-record-store" | "artist-release-editorial";
                    /** @default false */
                    lipsync?: boolean;
                    /** @default false */
                    upscale?: boolean;
                    /**
                     * @default none
                     * @enum {string}
                     */
                    caption_length?: "none" | "short" | "medium" | "long";
                    /** @default 1 */
                    batch?: number;
                    songs?: string[];
                    images?: string[];
                    /** Format: uuid */
                    account_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        runIds: string[];
                        /** @constant */
                        status: "triggered";
                        /** Format: uuid */
                        artist_account_id: string;
                        template: string;
                        lipsync: boolean;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Not enough credits. Nothing was written. The plan of the owner does not allow it. Nothing was written. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientCredits"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getContentVideos: {
        parameters: {
            query?: {
                account_id?: string;
                artist_account_id?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        videos: components["schemas"]["ContentVideo"][];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getContentVideosByRunId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        video: components["schemas"]["ContentVideo"];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    deleteContentVideosByRunId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postContentAgentCallback: {
        parameters: {
            query?: never;
            header?: {
                "x-callback-secret"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: string;
                        /** @constant */
                        skipped?: true;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The secret is missing or wrong. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postContentAgentByPlatform: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                platform: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                        challenge?: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No such platform. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getAgentsTemplates: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        templates: {
                            /** Format: uuid */
                            id: string;
                            title: string;
                            description: string;
                            prompt: string;
                            tags: string[];
                            /** @description Null when the account is gone. */
                            creator: {
                                /** Format: uuid */
                                id: string;
                                name: string | null;
                                image: string | null;
                                is_admin: boolean;
                            } | null;
                            is_private: boolean;
                            /** @description Of the caller. */
                            is_favourite: boolean;
                            favorites_count: number;
                            /** @description For the owner of a private template; else empty. */
                            shared_emails: string[];
                            /** Format: date-time */
                            created_at: string;
                            /** @description Null until the first change. */
                            updated_at: string | null;
                        }[];
                        pagination: {
                            total_count: number;
                            limit: number;
                            offset: number;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postAgentsTemplates: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
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
                    title: string;
                    description: string;
                    prompt: string;
                    tags?: string[];
                    /** @default false */
                    is_private?: boolean;
                    /** @description Addresses whose holders see a private template. Replaces the list; ignored for a public one. */
                    share_emails?: string[];
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        template: {
                            /** Format: uuid */
                            id: string;
                            title: string;
                            description: string;
                            prompt: string;
                            tags: string[];
                            /** @description Null when the account is gone. */
                            creator: {
                                /** Format: uuid */
                                id: string;
                                name: string | null;
                                image: string | null;
                                is_admin: boolean;
                            } | null;
                            is_private: boolean;
                            /** @description Of the caller. */
                            is_favourite: boolean;
                            favorites_count: number;
                            /** @description For the owner of a private template; else empty. */
                            shared_emails: string[];
                            /** Format: date-time */
                            created_at: string;
                            /** @description Null until the first change. */
                            updated_at: string | null;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    deleteAgentsTemplatesById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    patchAgentsTemplatesById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
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
                    title?: string;
                    description?: string;
                    prompt?: string;
                    tags?: string[];
                    is_private?: boolean;
                    /** @description Addresses whose holders see a private template. Replaces the list; ignored for a public one. */
                    share_emails?: string[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        template: {
                            /** Format: uuid */
                            id: string;
                            title: string;
                            description: string;
                            prompt: string;
                            tags: string[];
                            /** @description Null when the account is gone. */
                            creator: {
                                /** Format: uuid */
                                id: string;
                                name: string | null;
                                image: string | null;
                                is_admin: boolean;
                            } | null;
                            is_private: boolean;
                            /** @description Of the caller. */
                            is_favourite: boolean;
                            favorites_count: number;
                            /** @description For the owner of a private template; else empty. */
                            shared_emails: string[];
                            /** Format: date-time */
                            created_at: string;
                            /** @description Null until the first change. */
                            updated_at: string | null;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    putAgentsTemplatesByIdFavorite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "is_favourite": true
                 *     }
                 */
                "application/json": {
                    is_favourite: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getProjects: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        projects: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            /** Format: date-time */
                            created_at: string;
                        }[];
                        pagination: {
                            total_count: number;
                            limit: number;
                            offset: number;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postProjects: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Spring release"
                 *     }
                 */
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        project: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            /** Format: date-time */
                            created_at: string;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getProjectsByProjectId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        project: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            /** Format: date-time */
                            created_at: string;
                        };
                        tasks: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            project_id: string;
                            title: string;
                            description: string | null;
                            due_date: string | null;
                            assignee_account_id: string | null;
                            /** @description Null while the task is not complete. */
                            completed_at: string | null;
                            completed_by: string | null;
                            comment_count: number;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        }[];
                        collaborators: {
                            /** Format: uuid */
                            account_id: string;
                            name: string | null;
                        }[];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getProjectsByProjectIdCollaborators: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        collaborators: {
                            /** Format: uuid */
                            account_id: string;
                            name: string | null;
                        }[];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postProjectsByProjectIdCollaborators: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "grace@example.com"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    account_id?: string;
                    /** Format: email */
                    email?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        collaborator: {
                            /** Format: uuid */
                            account_id: string;
                            name: string | null;
                        };
                    };
                };
            };
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        collaborator: {
                            /** Format: uuid */
                            account_id: string;
                            name: string | null;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getProjectsByProjectIdTasks: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        tasks: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            project_id: string;
                            title: string;
                            description: string | null;
                            due_date: string | null;
                            assignee_account_id: string | null;
                            /** @description Null while the task is not complete. */
                            completed_at: string | null;
                            completed_by: string | null;
                            comment_count: number;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        }[];
                        pagination: {
                            total_count: number;
                            limit: number;
                            offset: number;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postProjectsByProjectIdTasks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Send the masters",
                 *       "due_date": "2026-03-02"
                 *     }
                 */
                "application/json": {
                    title: string;
                    description?: string | null;
                    /**
                     * @description A calendar date, without a time.
                     * @default null
                     */
                    due_date?: string | null;
                    /**
                     * @description Who the task waits on: a collaborator of the project.
                     * @default null
                     */
                    assignee_account_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        task: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            project_id: string;
                            title: string;
                            description: string | null;
                            due_date: string | null;
                            assignee_account_id: string | null;
                            /** @description Null while the task is not complete. */
                            completed_at: string | null;
                            completed_by: string | null;
                            comment_count: number;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getProjectsByProjectIdTasksByTaskId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                taskId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        task: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            project_id: string;
                            title: string;
                            description: string | null;
                            due_date: string | null;
                            assignee_account_id: string | null;
                            /** @description Null while the task is not complete. */
                            completed_at: string | null;
                            completed_by: string | null;
                            comment_count: number;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        };
                        comments: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            task_id: string;
                            /** Format: uuid */
                            account_id: string;
                            author_name: string | null;
                            /** @description Plain text. */
                            body: string;
                            /** Format: date-time */
                            created_at: string;
                        }[];
                        collaborators: {
                            /** Format: uuid */
                            account_id: string;
                            name: string | null;
                        }[];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    deleteProjectsByProjectIdTasksByTaskId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                taskId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        /** Format: uuid */
                        id: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    patchProjectsByProjectIdTasksByTaskId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                taskId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "completed": true
                 *     }
                 */
                "application/json": {
                    title?: string;
                    description?: string | null;
                    /** @description A calendar date, without a time. */
                    due_date?: string | null;
                    /** @description Who the task waits on: a collaborator of the project. */
                    assignee_account_id?: string | null;
                    completed?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        task: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            project_id: string;
                            title: string;
                            description: string | null;
                            due_date: string | null;
                            assignee_account_id: string | null;
                            /** @description Null while the task is not complete. */
                            completed_at: string | null;
                            completed_by: string | null;
                            comment_count: number;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getProjectsByProjectIdTasksByTaskIdComments: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                projectId: string;
                taskId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        comments: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            task_id: string;
                            /** Format: uuid */
                            account_id: string;
                            author_name: string | null;
                            /** @description Plain text. */
                            body: string;
                            /** Format: date-time */
                            created_at: string;
                        }[];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postProjectsByProjectIdTasksByTaskIdComments: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                projectId: string;
                taskId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "body": "The masters are with the plant."
                 *     }
                 */
                "application/json": {
                    body: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        comment: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            task_id: string;
                            /** Format: uuid */
                            account_id: string;
                            author_name: string | null;
                            /** @description Plain text. */
                            body: string;
                            /** Format: date-time */
                            created_at: string;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getConnectors: {
        parameters: {
            query?: {
                /** @description Whose service it is, when it is not that of the caller: an account or an artist. */
                account_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        connectors: {
                            slug: string;
                            name: string;
                            isConnected: boolean;
                            connectedAccountId: string | null;
                        }[];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
        };
    };
    postConnectors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "connector": "googledocs"
                 *     }
                 */
                "application/json": {
                    connector: string;
                    /** Format: uri */
                    callback_url?: string;
                    /**
                     * Format: uuid
                     * @description Whose service it is, when it is not that of the caller: an account or an artist.
                     */
                    account_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            connector: string;
                            /** Format: uri */
                            redirectUrl: string;
                        };
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
        };
    };
    deleteConnectors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "connected_account_id": "ca_0a1b2c3d"
                 *     }
                 */
                "application/json": {
                    connected_account_id: string;
                    /**
                     * Format: uuid
                     * @description Whose service it is, when it is not that of the caller: an account or an artist.
                     */
                    account_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        message?: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
        };
    };
    getConnectorsCallback: {
        parameters: {
            query?: {
                state?: string;
                code?: string;
                iss?: string;
                error?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Connected: the page says where to go on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Where the authorization was to end. */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Nothing was connected: the state is unknown, used or expired, or the person refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description Nothing was connected: the service did not confirm it. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    getConnectorsActions: {
        parameters: {
            query?: {
                /** @description Whose service it is, when it is not that of the caller: an account or an artist. */
                account_id?: string;
                connector?: string;
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        actions: {
                            actionSlug: string;
                            name: string;
                            description: string;
                            /** @description A JSON Schema of the parameters. */
                            parameters: {
                                [key: string]: unknown;
                            };
                            connectorSlug: string;
                            isConnected: boolean;
                            connectedAccountId: string | null;
                        }[];
                        /** @description Those whose actions cannot be listed now. Absent when there are none. */
                        missingConnectors?: string[];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
        };
    };
    postConnectorsActions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
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
                    actionSlug: string;
                    parameters: {
                        [key: string]: unknown;
                    };
                    /**
                     * Format: uuid
                     * @description Whose service it is, when it is not that of the caller: an account or an artist.
                     */
                    account_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        result: {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        executedAt: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
        };
    };
    postConnectorsFiles: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/cover.png",
                 *       "actionSlug": "TIKTOK_SHOW_IMAGE"
                 *     }
                 */
                "application/json": {
                    url: string;
                    actionSlug: string;
                    /**
                     * Format: uuid
                     * @description Whose service it is, when it is not that of the caller: an account or an artist.
                     */
                    account_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        name: string;
                        mimetype: string;
                        key: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
        };
    };
    postEmails: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. The same key with the same request answers the same, within 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
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
                    to?: string[];
                    cc?: string[];
                    subject?: string;
                    text?: string;
                    html?: string;
                    headers?: {
                        [key: string]: string;
                    };
                    chat_id?: string;
                    /** Format: uuid */
                    account_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                        /** @description The id that the mail provider gave. */
                        id: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: number;
                        message: string;
                        /** @description On a 500 only. */
                        request_id?: string;
                        disallowed_recipients?: string[];
                    };
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description Something that the request needs from outside failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE1"];
                };
            };
        };
    };
    postWebhooksMail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        /** @constant */
                        ignored?: true;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getInboxByToken: {
        parameters: {
            query?: {
                to?: string;
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, or JSON: `{messages: [{id, recipients, subject, received_at, text}]}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The page is not served under this host name. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getInboxByTokenById: {
        parameters: {
            query?: {
                replied?: "true";
            };
            header?: never;
            path: {
                token: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, or JSON: `{id, from, to, cc, subject, text, html, headers, received_at}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The page is not served under this host name. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postInboxByTokenByIdReply: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": unknown;
            };
        };
        responses: {
            /** @description The page of the mail, when the form was sent without a word. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The page of the mail. */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The page is not served under this host name. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getInboxByTokenByIdHtml: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The part as it was sent, in a sandbox. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The page is not served under this host name. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getTeamChatByToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The page is not served under this host name. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postTeamChatByToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": unknown;
            };
        };
        responses: {
            /** @description The threads and the form, when it was sent without a word. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The thread. */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The page is not served under this host name. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getTeamChatByTokenByThreadId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
                threadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page; it loads itself again while the agent is at work. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The page is not served under this host name. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getConsoleSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        consoleUrl: string;
                        apiUrl: string;
                        version: string;
                        isProduction: boolean;
                        signIn: {
                            issuer: string;
                            discoveryUrl: string;
                            clientId: string;
                            scope: string;
                            redirectUri: string;
                            /** @enum {string} */
                            bearer: "access_token" | "id_token";
                            isEmbedded: boolean;
                        } | null;
                        models: {
                            default: string;
                            choices: string[] | null;
                        };
                        requiresCredits: boolean;
                        takesUploads: boolean;
                        links: {
                            temporalUi: string | null;
                            site: string | null;
                            reference: string;
                            billing: string;
                        };
                    };
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getConsoleMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        accountId: string;
                        name: string | null;
                        email: string | null;
                        isAdmin: boolean;
                        /** @enum {string} */
                        via: "key" | "bearer";
                        expiresAt: string | null;
                    };
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getConsoleAccounts: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        accounts: {
                            /** Format: uuid */
                            id: string;
                            /** @enum {string} */
                            kind: "person" | "organization";
                            name: string | null;
                        }[];
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    postConsoleKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "expiresInSeconds": 3600
                 *     }
                 */
                "application/json": {
                    /** @default 3600 */
                    expiresInSeconds?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key: string;
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        accountId: string;
                        /** Format: date-time */
                        expiresAt: string;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    deleteConsoleKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body did not come in time. The connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The state of the row forbids it, or a request with this Idempotency-Key is in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is over the limit of the route. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getOperatorOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        at: string;
                        health: {
                            /** @enum {string} */
                            postgres: "ok" | "failed" | "pending";
                            /** @enum {string} */
                            migrations: "ok" | "failed" | "pending";
                            /** @enum {string} */
                            temporal: "ok" | "failed" | "pending";
                            disk: {
                                freeBytes: number | null;
                                reserveBytes: number;
                            };
                        };
                        queues: {
                            /** @enum {string} */
                            name: "turns" | "jobs" | "mails";
                            waiting: number;
                            oldestSeconds: number | null;
                            running: number;
                        }[];
                        taskQueues: {
                            name: string;
                            /** @enum {string} */
                            type: "workflow" | "activity";
                            backlog: number;
                            oldestSeconds: number;
                            addedPerSecond: number;
                            takenPerSecond: number;
                            pollers: number;
                        }[] | null;
                        totals: {
                            apisAlive: number;
                            workersAlive: number;
                            openRequests: number;
                            openStreams: number;
                            requestsPerSecond: number;
                            framesSentPerSecond: number;
                            framesWrittenPerSecond: number;
                            runningActivities: number;
                        };
                        processes: {
                            id: string;
                            /** @enum {string} */
                            part: "api" | "worker";
                            host: string;
                            pid: number;
                            build: string;
                            /** @enum {string} */
                            state: "alive" | "silent" | "lost";
                            /** Format: date-time */
                            startedAt: string;
                            /** Format: date-time */
                            reportedAt: string;
                            memoryBytes: number;
                            processorShare: number;
                            eventLoopDelayMs: number;
                            openRequests: number;
                            openStreams: number;
                            requestsPerSecond: number;
                            framesSentPerSecond: number;
                            framesWrittenPerSecond: number;
                            runningActivities: number;
                            cachedWorkflows: number;
                        }[];
                        lost: {
                            processes: number;
                            attempts: number;
                            sinceHours: number;
                        };
                        alerts: {
                            /** @enum {string} */
                            kind: "sweep" | "run" | "ledger" | "payment";
                            name: string;
                            count: number;
                            lastAt: string | null;
                        }[];
                        slowestRoutes: {
                            method: string;
                            route: string;
                            count: number;
                            failures: number;
                            meanMs: number;
                            p95Ms: number;
                        }[];
                        routesSinceSeconds: number;
                    };
                };
            };
            /** @description No credential, two credentials, or one that is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The caller may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Too many requests or open streams, or too much of what is shared is held. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description Temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getHealthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getReadyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ready" | "unready";
                        checks: {
                            /** @enum {string} */
                            postgres: "ok" | "failed" | "pending";
                            /** @enum {string} */
                            migrations: "ok" | "failed" | "pending";
                            /** @enum {string} */
                            temporal: "ok" | "failed" | "pending";
                        };
                    };
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The same body, with what is wrong. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ready" | "unready";
                        checks: {
                            /** @enum {string} */
                            postgres: "ok" | "failed" | "pending";
                            /** @enum {string} */
                            migrations: "ok" | "failed" | "pending";
                            /** @enum {string} */
                            temporal: "ok" | "failed" | "pending";
                        };
                    };
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Prometheus text exposition format. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getOpenapiJson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string;
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getReference: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description HTML. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
    getReferenceByFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The request is malformed or a field breaks its rule. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description The row or the path does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
            /** @description A fault nobody foresaw. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorE2"];
                };
            };
        };
    };
}
