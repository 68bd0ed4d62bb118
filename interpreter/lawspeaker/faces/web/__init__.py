"""The web server: people, bots and onlookers play one game over HTTP and WebSockets.

    running, settings               the server process and its options
    security                        headers, hosts, origins, size and rate limits
    app                             routes; pages are plain files (static/), data come as JSON
    messages                        parses and validates messages of a browser
    inviting, channel               accepting an invitation; the connections to a table, and
                                    sending them updates
    agreement                       proposals that need the consent of others
    table_registry                  all tables: setting them up, opening and closing them, and where
                                    work is done
    tables                          one table, kept reply by reply
    game_in_play, sandbox           its game, played in the server or in a process of its own
    scene, question, why_not, drawing/    what one screen shows, and why something cannot be chosen
    redrawing                       sends only the changed parts of a picture
    bots_at_table, bot_pool         what bots choose; the processes in which they think
    catalogue, preview, comparing   the games on offer, their pictures, editions side by side
    workshop/                       changing rules and seeing what that does
    seats                           secret link tokens, and what each permits
    store                           SQLite or PostgreSQL: a reply is on disk before it is broadcast

Everything that a browser receives of a game is derived from `Match.view` of the seat of its link.
All access to the matches of tables is serialized in one thread, the game thread; the event loop
only waits.
"""
