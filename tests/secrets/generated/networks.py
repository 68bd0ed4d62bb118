"""Connections of which some are hidden, paths over them; and players who play together."""

from __future__ import annotations

from tests.secrets.generated.extension import Extension, Wide
from tests.secrets.generated.files import Line
from tests.secrets.generated.grammar import Code
from tests.secrets.generated.values import (
    NAMES,
    NUMBER,
    PLAYER,
    PREFIX,
    SOME_PLAYERS,
    TRUTH,
)

TOWN, TOWNS, ROAD, LANE, SIDE = "town", "towns", "road", "lane", "side"
PREFIX |= {TOWN: "to", TOWNS: "ts", ROAD: "ro", LANE: "la", SIDE: "si"}
NAMES |= {
    "a_town": TOWN,
    "some_towns": TOWNS,
    "a_named_road": ROAD,
    "a_named_lane": LANE,
    "a_side": SIDE,
}
NETWORKS = Extension(
    "networks",
    {
        "words": """\
  town: [york, leeds, hull, ely, bath]
  road:
    joins: town
    has: {miles: number, paved: truth}
    are:
      york_leeds: {miles: 1, paved: true}
      leeds_hull: {miles: 2}
      hull_york:  {miles: 3, paved: true}
      hull_ely:   {miles: 1}
      ely_bath:   {miles: 2}
      coast:      {joins: [york, bath], miles: 4}
""",
        "pieces": """\
  ward:
    changes: {awake: truth}
    starts in: camp
    kinds: {mild: {count: 5}, fierce: {count: 5}}
""",
        "places": """\
  camp:  {holds: ward, seen by: nobody}
  lane:  {at: road, holds: ward, seen by: nobody}
  track: {at: road, holds: ward, seen by: everyone}
  inn:   {at: town, holds: ward, seen by: nobody, count seen by: nobody}
""",
        "markers": """\
  here:   {shows: town}
  lair:   {shows: town, seen by: nobody}
  patrol: {of each: player, shows: town, seen by: owner}
  fee:    {of each: road, shows: number, seen by: nobody}
  barred: {of each: road, shows: truth, seen by: nobody}
""",
    },
    (
        "pick a random road as blocked",
        "barred of blocked becomes yes",
        "fee of york_leeds becomes rolled",
        "for each lane:",
        "  pick a random ward in camp",
        "  move ward to lane",
        "pick a random town as nest_town",
        "lair becomes nest_town",
        "patrol of ben becomes nest_town",
        "pick a random ward as last_ward in camp",
        "move last_ward to inn(hull)",
    ),
    {
        NUMBER: (
            (3, "{path_length}"),
            (0.7, "(count of {towns})"),
            (0.7, "(count of {roads})"),
            "(miles of {a_road} + fee of {a_road})",
            (0.7, "(count of wards in {ward_place})"),
            (0.5, "number of {town}"),
        ),
        TRUTH: (
            (3, "{path_exists}"),
            "({town} is {town})",
            "({town} is in {towns})",
            (0.7, "({towns} is empty)"),
            (0.7, "(neighbour of {town} along {a_road} is nothing)"),
            (0.7, "(road of {town} with {town} is nothing)"),
            "barred of {a_road}",
            (2, "{hidden_ward}"),
            (0.5, "({ward_place} is empty)"),
            (0.5, "({a_road} is in {roads})"),
        ),
    },
    (
        (2, "here becomes {town}"),
        "lair becomes {town}",
        "patrol of {player} becomes {town}",
        "fee of {a_road} becomes {number}",
        "barred of {a_road} becomes {truth}",
        "move up to 1 {a_ward} to {ward_place}",
        "move all {a_ward} to {ward_place}",
        "move up to 1 wards in {ward_place} to {ward_place}",
        (0.7, "{let_town}"),
        (0.7, "{let_towns}"),
    ),
    (
        (0.5, "tell {everyone|ann} {a_town}"),
        (0.7, "tell {everyone|ann} {some_towns}"),
        (0.4, "tell everyone whether {path_exists}"),
        (0.4, "pick a random {town_in}"),
    ),
    ("for_each_road", "for_each_road", "if_joined"),
    ("town_part", "road_part"),
    ("journey",),
)
SIDES = Extension(
    "sides",
    {
        "places": "  hold: {of each: side, holds: stone, seen by: everyone}\n",
        "markers": """\
  wage:   {of each: side, shows: number}
  debt:   {of each: side, shows: number, seen by: nobody}
  flag:   {shows: side}
  banner: {shows: side, seen by: nobody}
  signed: {of each: player, shows: number, seen by: owner}
""",
    },
    ("debt of land becomes rolled", "signed of ben becomes rolled"),
    {
        NUMBER: (
            (2, "score of {side}"),
            "wage of {side}",
            (2, "debt of {side}"),
            "{side_total}",
            "signed of {player}",
            (0.7, "(count of ({players}))"),
            (0.5, "number of {side}"),
        ),
        TRUTH: (
            "({side} is {side})",
            "({player} is in {side})",
            "(score of land {>|<|=} score of sea)",
            "({player} is partner of {player})",
            (0.5, "(for every {side_member}, {truth})"),
        ),
        PLAYER: ((2, "partner of {player}"),),
        SOME_PLAYERS: (
            (2, "(players of {side})"),
            (2, "(partners of {player})"),
            (2, "(all {side_players})"),
        ),
    },
    (
        (2, "{scoring_side} {scores|loses} {number}"),
        "{player} {scores|loses} {number}",
        (0.5, "sides score {number}"),
        "wage of {side} becomes {number}",
        (2, "flag becomes {side}"),
        "debt of {side} becomes {number}",
        "banner becomes {side}",
        "signed of {player} becomes {number}",
        "{let_side}",
        "move up to 1 stones in {stones} to hold of {side}",
    ),
    (
        (0.3, "{side} {win|wins}"),
        "tell {everyone|ann} {a_side}",
        "tell {partner_of_somebody} {a_number}",
        "tell {side_of_somebody} {a_number}",
        (0.5, "show hand of {player} to {partner_of_somebody}"),
    ),
    ("for_each_side", "for_each_side", "begin_alike", "begin_alike"),
    ("side_part",),
    ("partner_asked",),
    players="players: {from: 4, to: 4, called: [ann, ben, cy, di], sides: [land, sea]}",
)


class Networks(Wide):
    def town(self) -> str:
        if self.names(TOWN) and self.chance(0.5):
            return self.say("{a_town}")
        if self.chance(self.secret * 0.6):
            return self.say("lair", "patrol of {player}", "(if {truth} then york else ely)")
        return self.say((5, "{york|leeds|hull|ely|bath}"), "here")

    def a_road(self) -> str:
        return self.say((2, "{a_named_road}"), "{york_leeds|leeds_hull|hull_york|hull_ely|coast}")

    def roads(self) -> str:
        return self.say("(roads of {town})", "(all {roads_where})")

    def roads_where(self) -> str:
        return self.of("roads", ROAD, "", 0.9)[1]

    def lanes_where(self) -> str:
        return self.of("lanes", LANE, "", 0.9)[1]

    def along(self) -> str:
        """Connections that one goes along."""
        return self.say("(all {roads_where})", "(roads of {town})", "all {lanes_where}")

    def towns(self) -> str:
        if self.names(TOWNS) and self.chance(0.4):
            return self.say("{some_towns}")
        with self._deeper() as deeper:
            if not deeper:
                return self.say("(ends of {a_road})", "(neighbours of {town} along all roads)")
            return self.say(
                (2, "(neighbours of {town} along {along})"),
                "(ends of {a_road})",
                "(all {towns_where})",
                (1.5, "{towns_reached}"),
            )

    def towns_where(self) -> str:
        return self.of("towns", TOWN, "", 0.9)[1]

    def towns_reached(self) -> str:
        name, start = self.fresh(TOWN), self.town()
        along = self.say("all {roads_where}", "all {lanes_where}")
        text = f"region from {start} by (neighbours of {name} along {along}) to each town as {name}"
        if self.chance(0.3):
            with self.inside({name: TOWN}):
                text += f" while {self.truth()}"
        return f"({text})"

    def ward_place(self) -> str:
        return self.say(
            (2, "lane({a_road})"),
            "track({a_road})",
            (2, "inn({town})"),
            (2, "{a_named_lane}"),
            "camp",
        )

    def over(self) -> tuple[str, str, str]:
        """The connections of a path: the name of one, its type, and the binder."""
        noun, type = self.pick(("roads", ROAD), ("roads", ROAD), ("lanes", LANE), ("tracks", ""))
        name = self.fresh(type or LANE)
        text = f"{noun} as {name}"
        if type == ROAD and self.chance(0.2):
            text += self.say(" in {roads}")
        if self.chance(0.8):
            with self.inside({name: type} if type else {}):
                text += " where " + self.say(
                    "{truth}",
                    *(
                        (f"(not barred of {name})", f"(fee of {name} < {{2|3}})")
                        if type == ROAD
                        else ()
                    ),
                    *((f"({name} is {{empty|not empty}})",) if type != ROAD else ()),
                    *((self.ward_in(name), self.ward_in(name)) if type != ROAD else ()),
                    *((self.ward_in(f"lane({name})"),) if type == ROAD else ()),
                )
        return name, type, text

    def ends(self) -> str:
        start = self.say((3, "{town}"), "{towns}")
        to = self.say((3, "{town}"), "{towns}")
        return f"from {start} to {to}"

    def a_ward(self) -> str:
        name = self.fresh(LANE)
        where = self.say("", f" where {name} is {{mild|fierce}}", " where {truth}")
        return f"wards as {name} in {self.ward_place()}{where}"

    def hidden_ward(self) -> str:
        return self.ward_in(self.ward_place())

    def ward_in(self, place: str) -> str:
        ward = self.fresh(LANE)
        kind = self.pick("mild", "fierce", "fierce")
        return f"(there is {self.pick('a', 'no')} ward as {ward} in {place} where {ward} is {kind})"

    def path_exists(self) -> str:
        ends = self.ends()
        return f"(there is {self.pick('a', 'no')} path {ends} over {self.over()[2]})"

    def path_length(self) -> str:
        name, type, over = self.over()
        value = ""
        if self.chance(0.6):
            with self.inside({name: type} if type else {}):
                counts = ["{number}"]
                if type == ROAD:
                    counts += [f"miles of {name}", f"fee of {name}", f"(fee of {name} + 1)"]
                elif type == LANE:
                    counts += [f"(count of wards in {name})"]
                value = f" of {self.say(*counts)}"
        if self.chance(0.6):
            rest = f" {self.ends()} over {over} otherwise {self.small()}"
            return f"(shortest path{value}{rest})"
        start = self.say("", " from {town}", (0.5, " from {towns}"))
        through = self.say("", " through different towns")
        return f"(longest path{value}{start}{through} over {over})"

    def let_town(self) -> str:
        return self.named(TOWN, self.town())

    def let_towns(self) -> str:
        return self.named(TOWNS, self.towns())

    def town_in(self) -> str:
        name, text = self.of("town", TOWN, "{towns}")
        self.new(TOWN, name)
        return text

    def for_each_road(self, depth: int) -> Code:
        name, text, type = self.pick(
            (*self.of("road", ROAD, self.say("{roads}")), ROAD),
            (*self.of("town", TOWN, self.say("{towns}")), TOWN),
            (*self.of("lane", LANE, ""), LANE),
        )
        head = self.pick("for each", "for each", "if there is a")
        loops = head == "for each"
        return (Line(f"{head} {text}:", self.nested(depth, {name: type}, loops)),)

    def if_joined(self, depth: int) -> Code:
        """The other end of a road, or the road between two towns, where there is one."""
        one, other = self.town(), self.town()
        value, type = self.pick(
            (f"neighbour of {one} along {self.a_road()}", TOWN),
            (f"road of {one} with {other}", ROAD),
        )
        name = self.fresh(type)
        inside = self.nested(depth, {name: type})
        return (Line(f"let {name} be {value}"), Line(f"if {name} is not nothing:", inside))

    def town_part(self, who: str) -> tuple[str, str, str]:
        name, text = self.of("town", TOWN, self.say((2, "{towns}"), ""), 0.4)
        return name, TOWN, text

    def road_part(self, who: str) -> tuple[str, str, str]:
        name, text = self.of("road", ROAD, "{roads}", 0.4)
        return name, ROAD, text

    def journey(self) -> Code:
        """Somebody goes to a town that is not too far away."""
        who, town = self.asked(), self.fresh(TOWN)
        self.count += 1
        _, _, over = self.over()
        start = self.say("here", f"patrol of {who}", "lair", "york")
        guard = self.pick(
            f"(shortest path from {start} to {town} over {over} otherwise 9) <= {self.pick(1, 2)}",
            f"there is a path from {start} to {town} over {over}",
        )
        below: Code = (Line(f"where guard_{self.count}: {guard}"),)
        then = self.line(
            f"here becomes {town}", f"patrol of {who} becomes {town}", f"lair becomes {town}"
        )
        below += (Line("then:", (*then, *self.nested(1, {town: TOWN}))), Line("otherwise: skip"))
        return (Line(f"{who} must travel: town as {town}", below),)


class Sides(Wide):
    def side(self) -> str:
        if self.names(SIDE) and self.chance(0.4):
            return self.say("{a_side}")
        if self.chance(self.secret * 0.4):
            return self.say("banner", "(if {truth} then land else sea)")
        return self.say((3, "{land|sea}"), (3, "side of {player}"), "flag")

    def scoring_side(self) -> str:
        return self.say("{land|sea}", "side of {player}", "flag", "banner")

    def side_players(self) -> str:
        return self.of("players", PLAYER, "{side}", 0.8)[1]

    def side_member(self) -> str:
        return self.of("player", PLAYER, "{side}", 0.3)[1]

    def side_total(self) -> str:
        name, binder = self.of("players", PLAYER, "{side}", 0.3)
        with self.inside({name: PLAYER}):
            value = self.say(f"signed of {name}", f"worth of {name}", "{number}")
        return f"(sum of {value} for each {binder})"

    def partner_of_somebody(self) -> str:
        return self.say("partner of {player}", "(partners of {player})")

    def side_of_somebody(self) -> str:
        return self.say("(players of {side})", "(players of side of {player})")

    def let_side(self) -> str:
        return self.named(SIDE, self.side())

    def for_each_side(self, depth: int) -> Code:
        if self.chance(0.5):
            name, text = self.of("player", PLAYER, "{side}", 0.3)
            return (Line(f"for each {text}:", self.nested(depth, {name: PLAYER}, loops=True)),)
        name, text = self.of("side", SIDE, "", 0.3)
        return (Line(f"for each {text}:", self.nested(depth, {name: SIDE}, loops=True)),)

    def begin_alike(self, depth: int) -> Code:
        """Two ways that may tell the same at first, and go on to show which of them it is."""
        condition, first = self.sharp(), self.seems_to_tell()
        again = first if self.chance(0.6) else self.line("{land|ann|cy|sea} scores {0|1}")
        then, beside = Line(f"if {condition}:", (*first, self.signal())), (*again, self.signal())
        if self.chance(0.6):
            return (Line(then.text, then.below, (Line("else:", beside),)),)
        return (then, *beside)

    def side_part(self, who: str) -> tuple[str, str, str]:
        if self.chance(0.5):
            name, text = self.of("player", PLAYER, "{side}", 0.3)
            return name, PLAYER, text
        name, text = self.of("side", SIDE, "", 0.3)
        return name, SIDE, text

    def partner_asked(self) -> Code:
        """A partner is asked, who may choose of what he or the other one has."""
        self.count += 1
        who = self.pick("partner of ann", "partner of active", "partner of ben")
        place = self.say("hand of cy", f"hand of {who}", "hand of ann", "discard")
        name, binder = self.binder("card", 0.3, plural=False, place=place)
        then = Line("then:", self.nested(1, {name: "card"}))
        return (Line(f"{who} must help: {binder}", (then, Line("otherwise: skip"))),)
