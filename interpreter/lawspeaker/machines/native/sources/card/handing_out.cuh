struct work {
  u64 seed;
  u32 first, count, budget, going;
  u32 *next;                    /* how many games were handed out */
  u32 *playing;                 /* for each thread which game it plays, counted from the first */
  u32 *records;                 /* or nothing, if nobody wants them */
  u64 *print;                   /* a sum that stands for all records, or nothing */
  u64 *sums;                    /* what games add up to, in some copies, or nothing */
  u32 *odd;                     /* how many games do not fit into these, and their numbers */
};
#define WORK                                                                                \
  u64 seed, u32 first, u32 count, u32 budget, u32 going, u32 *next, u32 *playing,           \
  u32 *records, u64 *print, u64 *sums, u32 *odd
#define GIVEN {seed, first, count, budget, going, next, playing, records, print, sums, odd}
/* A game is over: its record, and a word that stands for it. */
DEVICE u64 recorded(GAME, const struct work &work, u32 number, u32 thread) {
  if (work.sums && !summed(HERE, work.sums + (u64)(thread / 32 % COPIES) * SUMS)) {
    u32 at = atomicAdd(work.odd, 1u);
    if (at < MOST_ODD) work.odd[1 + at] = number;
  }
  if (work.records)
    ROLLED for (u32 at = 0; at < WORDS; at++)
      work.records[(u64)at * work.count + number] = load32_whole(HERE, 4 * at, RECORDS);
  if (!work.print) return 0;
  u64 mixed = work.first + number;
  ROLLED for (u32 at = 0; at < WORDS; at++)
    mixed = (mixed ^ load32_whole(HERE, 4 * at, RECORDS)) * 0x9E3779B97F4A7C15ull;
  return mixed ^ mixed >> 32;
}
