#define RECORD(at) ((i32)load32_whole(HERE, 4 * (u32)(at), RECORDS))
#define ADD(at, value) { i64 more_ = (i64)(value); if (more_) atomicAdd(sums + (at), (u64)more_); }
/* By how much those marked in one mask are ahead of those in another, in parts. */
DEVICE i32 ahead(const i32 *values, u32 more, u32 less) {
  i32 one = 0, other = 0;
  for (u32 seat = 0; seat < PLAYERS; seat++) {
    if (more >> seat & 1) one += values[seat];
    if (less >> seat & 1) other += values[seat];
  }
  u32 m = popcnt32(more), n = popcnt32(less);
  return one * (i32)(PARTS / (m ? m : 1)) - other * (i32)(PARTS / (n ? n : 1));
}
/* In the first pass it is looked whether all fits, in the second it is added. */
APART bool sum_up(GAME, u64 *sums) {
  i32 scores[PLAYERS], wins[PLAYERS], worths[SIDES];
  u32 won = 0, winners = (u32)RECORD(R_WON), decisions = (u32)RECORD(R_DECISIONS);
  i32 starter = RECORD(R_STARTER), leads = RECORD(R_LEADS);
  if (decisions >= LENGTHS || winners > PLAYERS || LARGE(leads)) return false;
  for (u32 at = 0; at < winners; at++) won |= 1u << (RECORD(R_WINNERS + at) & 31);
  u32 victors = VICTORS;
  for (u32 seat = 0; seat < PLAYERS; seat++) {
    scores[seat] = RECORD(R_SCORES + seat);
    if (scores[seat] < LOWEST || scores[seat] >= LOWEST + SCORES) return false;
    wins[seat] = won >> seat & 1 ? (i32)(PARTS / (victors ? victors : 1)) : 0;
  }
  WORTHS
  i32 best = worths[0], second = worths[0];
  for (u32 side = 1; side < SIDES; side++) {
    if (side == 1 || worths[side] > second) second = worths[side];
    if (second > best) { i32 held = best; best = second; second = held; }
  }
  i32 margin = best - second;
  if (LARGE(margin)) return false;
  for (u32 pass = 0; pass < 2; pass++) {
    ROLLED for (u32 clause = 0; clause < CLAUSES; clause++) {
      i64 points = 0;
      for (u32 seat = 0; seat < PLAYERS; seat++)
        points += RECORD(R_POINTS + clause * PLAYERS + seat);
      if (LARGE(points)) return false;
      if (!pass) continue;
      ADD(S_FIRED + clause, RECORD(R_CLAUSES + clause))
      ADD(S_POINTS + clause, points)
      ADD(S_POINTS_SQUARED + clause, points * points)
      ADD(S_POINTS_GIVEN + clause, points < 0 ? -points : points)
    }
    ROLLED for (u32 thing = 0; thing < THINGS; thing++) {
      i32 uses[PLAYERS], total = 0;
      u32 more = 0, less = 0, choosers = 0;
      for (u32 seat = 0; seat < PLAYERS; seat++) {
        uses[seat] = RECORD(R_USES + thing * PLAYERS + seat);
        total += uses[seat];
        choosers += uses[seat] != 0;
      }
      if (!choosers) continue;
      for (u32 seat = 0; seat < PLAYERS; seat++) {
        if ((i32)PLAYERS * uses[seat] > total) more |= 1u << seat;
        if ((i32)PLAYERS * uses[seat] < total) less |= 1u << seat;
      }
      i64 by_wins = more ? ahead(wins, more, less) : 0;
      i64 by_score = more ? ahead(scores, more, less) : 0;
      if (LARGE(by_wins) || LARGE(by_score)) return false;
      if (!pass) continue;
      ADD(S_TIMES + thing, total)
      ADD(S_CHOOSERS + thing, choosers)
      ADD(S_COMPARED + thing, more != 0)
      ADD(S_AHEAD + thing, by_wins)
      ADD(S_AHEAD_SQUARED + thing, by_wins * by_wins)
      ADD(S_MORE + thing, by_score)
      ADD(S_MORE_SQUARED + thing, by_score * by_score)
    }
  }
  for (u32 seat = 0; seat < PLAYERS; seat++) {
    ADD(S_WINS + seat, wins[seat])
    ADD(S_SCORES + seat * SCORES + (u32)(scores[seat] - LOWEST), 1)
  }
  if (starter >= 0 && starter < (i32)PLAYERS) {
    ADD(S_STARTED, 1)
    for (u32 seat = 0; seat < PLAYERS; seat++)
      if (starter == (i32)seat) ADD(S_STARTER, wins[seat])
  }
  ADD(S_GAMES, 1)
  ADD(S_MARGIN, margin)
  ADD(S_MARGIN + 1, (i64)margin * margin)
  ADD(S_TIES, victors > 1)
  ADD(S_DRAWS, victors == 0)
  ADD(S_LEADS, leads)
  ADD(S_LEADS + 1, (i64)leads * leads)
  ADD(S_OPTIONS, (u32)RECORD(R_OPTIONS))
  ADD(S_LENGTHS + decisions, 1)
  return true;
}
