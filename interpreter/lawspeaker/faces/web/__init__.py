"""The table in the browser: people, bots and onlookers at one game, over HTTP and WebSockets.

    running, settings               the server as a process
    security                        headers, hosts, origins, how much and how often
    app                             routes; pages are plain files (static/), data come as JSON
    messages                        what a browser may say, read and checked
    inviting, channel               accepting an invitation; who is connected to a table, and
                                    telling them the news
    agreement                       what a table must agree on before it is done
    table_registry                  all tables: setting them up, opening and closing them, and where
                                    work is done
    tables                          one table, kept reply by reply
    game_in_play, sandbox           its game, played in the server or in a process of its own
    scene, question, why_not, drawing/    what one screen shows, and why something cannot be chosen
    redrawing                       what of a picture has to be sent again
    bots_at_table                   bots think in processes of their own
    catalogue, preview, comparing   the games on offer, their pictures, editions side by side
    workshop/                       changing rules and seeing what that does
    seats                           links that cannot be guessed, and what each of them may do
    store                           SQLite: a reply is on the disk before anybody is told of it

Whatever a browser is sent of a game is made from `Match.view` of the seat its link holds. All that
touches a match of a table runs in one thread, the game thread, one thing after the other; the event
loop only waits.
"""
