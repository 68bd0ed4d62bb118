struct trials_given {
  u64 seed;
  u32 options, first, count;    /* number of options; first playout, number of playouts */
  u32 seat, reach, deals, discreet, budget;
  const u32 *tried;             /* option numbers */
  u32 *next;                    /* number of playouts handed out */
  u32 *playing;                 /* by thread: its playout */
  u64 *found;                   /* sums by option */
};
#define TRIALS_GIVEN                                                                        \
  u64 seed, u32 options, u32 first, u32 count, u32 seat, u32 reach, u32 deals, u32 discreet, \
  u32 budget, const u32 *tried, u32 *next, u32 *playing, u64 *found
#define GIVEN                                                                               \
  {seed, options, first, count, seat, reach, deals, discreet, budget, tried, next, playing, found}
DEVICE void try_all(const struct trials_given &all, u32 thread) {
  alignas(16) u8 memory[OWN];
  struct variables variables;
  struct variables *const g = &variables;
#ifdef EMULATED
  for (u32 at = 0; at < OWN; at++) memory[at] = 0xA5;
#endif
  begin(HERE);
  if (!all.deals) IMAGINE(HERE, 0, 0);
  for (;;) {
    u32 number = take(all.next);
    if (number >= all.count) break;
    all.playing[thread] = number;
    number += all.first;
    u32 round = number / all.options, which = number % all.options;
    const u32 order[] = {
      (u32)all.seed, (u32)(all.seed >> 32), 1, round, round + 1, all.seat, 0, 0, all.reach,
      all.deals, all.discreet, all.budget, 0,
    };
    ROLLED for (u32 at = 0; at < sizeof(order) / 4; at++)
      store32_whole(HERE, 4 * at, RECORDS, order[at]);
    store32_whole(HERE, 0, RECORDS + ORDER, all.tried[which]);
    ROLLED for (u32 at = 4; at < TRIAL; at += 4) store32_whole(HERE, at, RECORDS + ORDER, 0);
    EXPLORE(HERE);
    u64 *const found = all.found + (u64)which * SUMMED;
    ROLLED for (u32 at = 0; at < 2; at++)
      atomicAdd(found + at, (u64)load32_whole(HERE, 4 * at, RECORDS + ORDER + TRIED));
    ROLLED for (u32 at = 2; at < SUMMED; at++)
      atomicAdd(found + at, load64_halves(HERE, 8 * (at - 2), RECORDS + ORDER + WINS));
  }
  all.playing[thread] = NONE;
}
#ifdef EMULATED
extern "C" void trials(TRIALS_GIVEN, u32 threads) {
  struct trials_given all = GIVEN;
  for (u32 thread = 0; thread < threads; thread++) {
    try { try_all(all, thread); } catch (ended) {}
  }
}
#else
extern "C" __global__ void BOUNDS trials(TRIALS_GIVEN, u32 threads) {
  struct trials_given all = GIVEN;
  fetch();
  try_all(all, blockIdx.x * blockDim.x + threadIdx.x);
}
#endif
