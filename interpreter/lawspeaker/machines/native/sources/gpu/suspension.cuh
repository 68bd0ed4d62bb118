/* Saves and restores a suspended game: memory and variables, interleaved by word with the others. */
union variables_kept { struct variables variables; u64 words[(SLOT - OWN) / 8]; };
static_assert(sizeof(struct variables) <= SLOT - OWN, "slot too small for all variables");
DEVICE void resume_game(u8 *memory, union variables_kept *kept, const u64 *aside, u32 all, u32 own) {
  ROLLED for (u32 at = 0; at < OWN / 8; at++)
    WORD(u64, memory + 8 * at) = aside[(u64)at * all + own];
  ROLLED for (u32 at = 0; at < (SLOT - OWN) / 8; at++)
    kept->words[at] = aside[(u64)(OWN / 8 + at) * all + own];
}
DEVICE void suspend_game(const u8 *memory, const union variables_kept *kept, u64 *aside, u32 all,
                      u32 own) {
  ROLLED for (u32 at = 0; at < OWN / 8; at++)
    aside[(u64)at * all + own] = WORD(const u64, memory + 8 * at);
  ROLLED for (u32 at = 0; at < (SLOT - OWN) / 8; at++)
    aside[(u64)(OWN / 8 + at) * all + own] = kept->words[at];
}
