BEGIN TRANSACTION;
CREATE TABLE days (
    day TEXT PRIMARY KEY
) WITHOUT ROWID;
CREATE TABLE homes (
    key    BLOB NOT NULL,
    link   BLOB NOT NULL,
    tab    INTEGER NOT NULL REFERENCES tables,
    sealed BLOB NOT NULL,
    PRIMARY KEY (key, link)
) WITHOUT ROWID;
CREATE TABLE links (
    fingerprint BLOB PRIMARY KEY,
    tab         INTEGER NOT NULL REFERENCES tables,
    role        TEXT NOT NULL,
    seats       TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO "links" VALUES(X'573813755F623189D178635B33A2DB51BD5A4F6BCB78CCB03D00026C86536EE5',1,'host','[0]');
INSERT INTO "links" VALUES(X'73FE86A9E1AFA34469DEB62DF16AD7283E1C157B6EC72218B0916D16C89833FE',1,'seat','[1]');
INSERT INTO "links" VALUES(X'7E276B18D9C8599DBAF2E3431BACD050D34DFFE50E7C11B373934D68118CFA6B',1,'used','[1]');
INSERT INTO "links" VALUES(X'A8E6D855B5DD0F5286838097A2540A2F78965FAF1D7BF23846A5E48FCC4B3A3C',1,'watch','[]');
CREATE TABLE listed (
    tab   INTEGER PRIMARY KEY REFERENCES tables,
    token TEXT NOT NULL,
    text  TEXT NOT NULL,
    seen  INTEGER NOT NULL
);
CREATE TABLE mails (
    tab       INTEGER NOT NULL REFERENCES tables,
    seat      INTEGER NOT NULL,
    token     TEXT NOT NULL,
    address   TEXT NOT NULL,
    language  TEXT NOT NULL,
    confirmed INTEGER NOT NULL,
    told      INTEGER NOT NULL,
    PRIMARY KEY (tab, seat)
) WITHOUT ROWID;
CREATE TABLE measured (
    base   TEXT NOT NULL,
    digest TEXT NOT NULL,
    found  TEXT NOT NULL,
    PRIMARY KEY (base, digest)
) WITHOUT ROWID;
CREATE TABLE peers (
    id      TEXT PRIMARY KEY,
    address TEXT NOT NULL,
    secret  TEXT NOT NULL,
    until   REAL NOT NULL
);
INSERT INTO "peers" VALUES('40592a456e9e8e6a','','4IOGgLJuTod1RZbsGSok4nFmyzL1J7SC',1.0e+18);
CREATE TABLE push_key (
    one INTEGER PRIMARY KEY,
    key TEXT NOT NULL
);
CREATE TABLE pushes (
    tab      INTEGER NOT NULL REFERENCES tables,
    seat     INTEGER NOT NULL,
    token    TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    p256dh   TEXT NOT NULL,
    auth     TEXT NOT NULL,
    language TEXT NOT NULL,
    added    INTEGER NOT NULL,
    told     INTEGER NOT NULL,
    PRIMARY KEY (tab, seat, endpoint)
) WITHOUT ROWID;
CREATE TABLE replies (
    tab    INTEGER NOT NULL REFERENCES tables,
    number INTEGER NOT NULL,
    seat   INTEGER NOT NULL,
    option INTEGER NOT NULL,
    choice TEXT NOT NULL,
    PRIMARY KEY (tab, number)
) WITHOUT ROWID;
INSERT INTO "replies" VALUES(1,0,0,0,'take north, corn');
INSERT INTO "replies" VALUES(1,1,1,0,'take south, melon');
INSERT INTO "replies" VALUES(1,2,0,0,'lay melon');
CREATE TABLE rules (
    digest TEXT PRIMARY KEY,
    files  TEXT NOT NULL,
    sum    TEXT NOT NULL DEFAULT ''
);
INSERT INTO "rules" VALUES('c6463a7e893520591b27ce9cc7d3daa69f707bd03a0e9157802460005995f346','[{"name": "game.yaml", "text": "# A small game of version 1, kept as it was written. It is never changed: newer versions open it.\nlawspeaker: 1\ngame: harvest\ntitle: Harvest\nabout: Two farmers pick crops from baskets, keep some of them hidden, and bid for the last word.\nplayers: {from: 2, to: 3, called: [ann, ben, cy]}\nlanguage: en\nlanguages: [en, de]\n\nwords:\n  field: [north, south]\n\npieces:\n  crop:\n    plural: crops\n    has: {weight: number}\n    starts in: barn\n    in the box: 8\n    kinds:\n      corn:  {count: 4, weight: 1}\n      melon: {count: 4, weight: 3}\n\nplaces:\n  barn:   {plural: barns, holds: crop, arranged: pile, seen by: nobody}\n  basket: {at: field, plural: baskets, holds: crop, seen by: everyone}\n  hand:   {of each: player, plural: hands, holds: crop, seen by: owner}\n  stall:  {of each: player, plural: stalls, holds: crop, seen by: everyone}\n\nmarkers:\n  round: {shows: 0..9, starts as: 0}\n\nchoices:\n  bidding.most:\n    says: The highest bid.\n    is: 3\n  hand_size:\n    says: How many crops everyone draws at the start.\n    is: 2\n\nrules:\n  game:\n    says: Crops are dealt, everyone picks twice, and the bids decide.\n    rule: |\n      shuffle barn\n      for each field:\n        draw crop from barn to basket(field)\n      for each player:\n        draw hand_size crops from barn to hand of player\n      repeat 2 times:\n        round increases by 1\n        for each player:\n          do picking(player)\n      do bidding\n      for each player:\n        player scores sum of weight of crop for each crop in stall of player\n\n  picking:\n    says: The player takes a crop from a basket, or lays one out of the hand.\n    asks: Which crop?\n    given: {farmer: player}\n    guards:\n      not_too_heavy: A stall carries a weight of six.\n    rule: |\n      farmer may choose one of\n        take: field, crop in basket(field)\n          where not_too_heavy: weight of crop + carried(farmer) <= 6\n          then: move crop to stall of farmer\n        lay: crop in hand of farmer\n          where not_too_heavy: weight of crop + carried(farmer) <= 6\n          then: move crop to stall of farmer\n\n  carried:\n    says: The weight that lies in a stall.\n    define: carried(player)\n    as: sum of weight of crop for each crop in stall of player\n\n  bidding:\n    says: All bid in secret, and the highest bid alone scores that much.\n    asks: How much do you bid?\n    guards:\n      within_limits: A bid is within the limits.\n    rule: |\n      let high be 0\n      let bidder be ann\n      let shared be no\n      each player secretly must bid: number in 0..5\n        where within_limits: number <= bidding.most\n        then:\n          if number > high:\n            high becomes number\n            bidder becomes player\n            shared becomes no\n          else if number = high:\n            shared becomes yes\n        otherwise: cannot happen\n      if not shared:\n        bidder scores high\n\ntable:\n  down:\n    - {marker: round}\n    - {place: basket, at: {field: 1}}\n    - {place: basket, at: {field: south}}\n    - {place: barn, as: count}\n    - players: [{place: stall, as: row}, {place: hand, as: hand}, {score: true}]\n"}, {"name": "languages/de.yaml", "text": "# `lawspeaker translate` keeps this file in order. A key without a text is still to be translated.\n# The six letters and digits behind an @ are a mark of the text that was translated, and need no\n# care. Where a ? stands behind them, that text has changed since: mend the translation, and take\n# the ? out.\nlawspeaker: 1\ntranslates: harvest\nlanguage: de\n# en: Harvest\ntitle @c91ab8: Ernte\n# en: Two farmers pick crops from baskets, keep some of them hidden, and bid for the last word.\nabout @c93a7c: >-\n  Zwei oder drei Bauern nehmen Früchte aus Körben, halten einige verborgen und bieten um das letzte\n  Wort.\n\nchoices:\n  # en: The highest bid.\n  bidding.most @fec13c: Das höchste Gebot.\n  # en: How many crops everyone draws at the start.\n  hand_size @f3c053: Wie viele Früchte jeder am Anfang zieht.\n\nrules:\n  # en: Crops are dealt, everyone picks twice, and the bids decide.\n  game @a4662b: Früchte werden verteilt, jeder wählt zweimal, und die Gebote entscheiden.\n  picking:\n    # en: The player takes a crop from a basket, or lays one out of the hand.\n    says @6b60e1: Der Spieler nimmt eine Frucht aus einem Korb oder legt eine aus der Hand.\n    # en: Which crop?\n    asks @ba7482: Welche Frucht?\n    guards:\n      # en: A stall carries a weight of six.\n      not_too_heavy @a3856c: Ein Stand trägt ein Gewicht von sechs.\n  # en: The weight that lies in a stall.\n  carried @826645: Das Gewicht, das an einem Stand liegt.\n  bidding:\n    # en: All bid in secret, and the highest bid alone scores that much.\n    says @d21a53: Alle bieten geheim, und das höchste Gebot allein bringt so viele Punkte.\n    # en: How much do you bid?\n    asks @b43003: Wie viel bietest du?\n    guards:\n      # en: A bid is within the limits.\n      within_limits @2cbf41: Ein Gebot liegt in den Grenzen.\n\nnames:\n  # en: crop\n  crop @375676: Frucht\n  # en: barn\n  barn @e43a7e: Scheune\n  # en: basket\n  basket @fa76d9: Korb\n  # en: hand\n  hand @1b0017: Hand\n  # en: stall\n  stall @e5b6a7: Stand\n  # en: round\n  round @a97b09: Runde\n  # en: field\n  field @c0d285: Feld\n  # en: north\n  north @dc365e: Norden\n  # en: south\n  south @2daa8d: Süden\n  # en: corn\n  corn @63b049: Mais\n  # en: melon\n  melon @a73860: Melone\n  # en: ann\n  ann @49915e: Ann\n  # en: ben\n  ben @670086: Ben\n  # en: cy\n  cy @3d30f5: Cy\n  # en: take\n  take @d1905c: nehmen\n  # en: lay\n  lay @360cdb: legen\n  # en: bid\n  bid @c0e0ef: bieten\n  # en: game\n  game @6ca5ca: Spiel\n  # en: bidding\n  bidding @c8694a: Bieten\n"}, {"name": "long.yaml", "given": [], "text": "lawspeaker: 1\nvariant: long\nof: harvest\nlayer: house rule\ntitle: A long harvest\nabout: More crops at the start, and the first bid may be higher.\nlanguage: en\nchanges:\n  - set: hand_size\n    to: 1\n    because: Crops run out too early.\n  - set: bidding.most\n    to: 5\n    because: Bids are all alike.\n  - amend: picking.not_too_heavy\n    unless: round = 1\n"}]','d7cf6c71cadaa55a');
CREATE TABLE tables (
    id         INTEGER PRIMARY KEY,
    digest     TEXT NOT NULL REFERENCES rules,
    rules      TEXT NOT NULL,
    seed       INTEGER NOT NULL,
    discretion TEXT NOT NULL,
    language   TEXT NOT NULL,
    seats      TEXT NOT NULL,
    began      TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
    proposal   TEXT NOT NULL DEFAULT '',
    finished   INTEGER NOT NULL DEFAULT 0,
    touched    TEXT NOT NULL DEFAULT '',
    sum        TEXT NOT NULL DEFAULT '',
    owner      TEXT NOT NULL DEFAULT '',
    waiting    TEXT NOT NULL DEFAULT '',
    pace       TEXT NOT NULL DEFAULT '',
    titles     TEXT NOT NULL DEFAULT '',
    paused     TEXT NOT NULL DEFAULT ''
);
INSERT INTO "tables" VALUES(1,'c6463a7e893520591b27ce9cc7d3daa69f707bd03a0e9157802460005995f346','harvest+long',885691542806598657,'quick','en','[{"person": true, "bot": "", "nick": "", "taken": false, "invited": 0, "ready": false, "passing": "", "stretch": "", "inviter": -1, "bot_since": 0}, {"person": true, "bot": "", "nick": "", "taken": true, "invited": 0, "ready": false, "passing": "", "stretch": "", "inviter": -1, "bot_since": 0}]','2026-11-19 19:17:40','',0,'2026-11-19','e65ae14e424debfa','40592a456e9e8e6a','{"since": 1795115860, "asked": [1], "open": [1]}','','{"en": "Harvest – A long harvest", "de": "Ernte – A long harvest"}','');
CREATE TABLE talk (
    tab    INTEGER NOT NULL REFERENCES tables,
    number INTEGER NOT NULL,
    seat   INTEGER NOT NULL,
    at     INTEGER NOT NULL,
    kind   TEXT NOT NULL,
    text   TEXT NOT NULL,
    PRIMARY KEY (tab, number)
) WITHOUT ROWID;
CREATE TABLE thinking (
    rules    TEXT NOT NULL,
    question TEXT NOT NULL,
    replies  INTEGER NOT NULL,
    seconds  INTEGER NOT NULL,
    PRIMARY KEY (rules, question)
) WITHOUT ROWID;
CREATE INDEX homes_by_table ON homes (tab);
CREATE UNIQUE INDEX mails_by_token ON mails (token);
CREATE UNIQUE INDEX pushes_by_token ON pushes (token);
COMMIT;
PRAGMA user_version = 11;
