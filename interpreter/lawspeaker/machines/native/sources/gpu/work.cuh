struct work {
  u64 seed;
  u32 first, count, budget, going;
  u32 *next;                    /* number of games handed out */
  u32 *playing;                 /* by thread: its game, relative to `first` */
  u32 *records;                 /* null: not stored */
  u64 *checksum;                /* over all records; null: none */
  u64 *sums;                    /* sums over games, in COPIES copies; null: none */
  u32 *odd;                     /* number of games that do not fit into the sums, then these */
};
#define WORK                                                                                \
  u64 seed, u32 first, u32 count, u32 budget, u32 going, u32 *next, u32 *playing,           \
  u32 *records, u64 *checksum, u64 *sums, u32 *odd
#define GIVEN {seed, first, count, budget, going, next, playing, records, checksum, sums, odd}
/* Stores the record of a finished game, and returns its checksum. */
DEVICE u64 recorded(GAME, const struct work &work, u32 number, u32 thread) {
  if (work.sums && !summed(HERE, work.sums + (u64)(thread / 32 % COPIES) * SUMS)) {
    u32 at = atomicAdd(work.odd, 1u);
    if (at < MOST_ODD) work.odd[1 + at] = number;
  }
  if (work.records)
    ROLLED for (u32 at = 0; at < WORDS; at++)
      work.records[(u64)at * work.count + number] = load32_whole(HERE, 4 * at, RECORDS);
  if (!work.checksum) return 0;
  u64 mixed = work.first + number;
  ROLLED for (u32 at = 0; at < WORDS; at++)
    mixed = (mixed ^ load32_whole(HERE, 4 * at, RECORDS)) * 0x9E3779B97F4A7C15ull;
  return mixed ^ mixed >> 32;
}
