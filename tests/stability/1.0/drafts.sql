BEGIN TRANSACTION;
CREATE TABLE draft_versions (
    key    BLOB NOT NULL,
    id     TEXT NOT NULL,
    number INTEGER NOT NULL,
    began  INTEGER NOT NULL,
    saved  INTEGER NOT NULL,
    size   INTEGER NOT NULL,
    draft  TEXT NOT NULL,
    PRIMARY KEY (key, id, number)
);
CREATE TABLE drafts (
    fingerprint BLOB PRIMARY KEY,
    draft       TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO "drafts" VALUES(X'13E55CDC9750F616EC1EE6D64E4A1682868BC467E87408B4210885859200C2FF','{"rules": "nim", "files": [{"name": "long.yaml", "text": "lawspeaker: 1\nvariant: long\nof: harvest\nlayer: house rule\ntitle: A long harvest\nabout: More crops at the start, and the first bid may be higher.\nlanguage: en\nchanges:\n  - set: hand_size\n    to: 1\n    because: Crops run out too early.\n  - set: bidding.most\n    to: 5\n    because: Bids are all alike.\n  - amend: picking.not_too_heavy\n    unless: round = 1\n", "given": null}]}');
CREATE TABLE handed_in (
    token TEXT PRIMARY KEY,
    name  TEXT NOT NULL,
    about TEXT NOT NULL,
    rules TEXT NOT NULL,
    state TEXT NOT NULL,
    at    INTEGER NOT NULL
);
CREATE TABLE own_drafts (
    key     BLOB NOT NULL,
    id      TEXT NOT NULL,
    name    TEXT NOT NULL,
    changed INTEGER NOT NULL,
    away    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (key, id)
) WITHOUT ROWID;
CREATE TABLE owner_key (
    one INTEGER PRIMARY KEY,
    key TEXT NOT NULL
);
COMMIT;
PRAGMA user_version = 3;
