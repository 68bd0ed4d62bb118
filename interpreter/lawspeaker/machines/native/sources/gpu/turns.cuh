enum { SEAT, OFFERED, ENDED, SCORES };
enum { GOES_ON, IS_OVER, STOPPED };
struct tables_given {
  u64 seed;
  u32 games, budget;
  u64 *aside;                   /* suspended games, interleaved */
  const u32 *answers;
  u32 *numbers;                 /* by table: its game */
  u32 *said;
  u32 *rows;                    /* observations of the asked seats */
  u32 *options;                 /* encoded options, up to `most` each */
  u32 most;
};
#define TABLES_GIVEN                                                                        \
  u64 seed, u32 games, u32 budget, u64 *aside, const u32 *answers, u32 *numbers, u32 *said,  \
  u32 *rows, u32 *options, u32 most
#define GIVEN {seed, games, budget, aside, answers, numbers, said, rows, options, most}
DEVICE void turn_at(const struct tables_given &all, u32 game) {
  alignas(16) u8 memory[OWN];
  union variables_kept kept;
  struct variables *const g = &kept.variables;
  u32 *const said = all.said + (u64)game * SAID;
  bool fresh = said[ENDED] == STOPPED;
  u32 ended = GOES_ON, answer = all.answers[game];
  said[ENDED] = STOPPED;        /* remains if the thread exits below */
  if (fresh) {
#ifdef EMULATED
    for (u32 at = 0; at < OWN; at++) memory[at] = 0xA5;
#endif
    all.numbers[game] += all.games;
    begin(HERE);
    CONFIGURE(HERE, 0, ~0u, 0, 0, all.budget);
  } else {
    resume_game(memory, &kept, all.aside, all.games, game);
  }
  u32 status = TURN(HERE, all.seed, all.numbers[game], fresh, answer);
  if (status == OVER) {
    ended = IS_OVER;
    ROLLED for (u32 seat = 0; seat < PLAYERS; seat++) {
      said[SCORES + seat] = load32_whole(HERE, 4 * seat, RECORDS);
      said[SCORES + PLAYERS + seat] = 0;
    }
    u32 won = load32_whole(HERE, 4 * PLAYERS, RECORDS);
    ROLLED for (u32 at = 0; at < won && at < PLAYERS; at++) {
      u32 seat = load32_whole(HERE, 4 * (PLAYERS + 1 + at), RECORDS);
      if (seat < PLAYERS) said[SCORES + PLAYERS + seat] = 1;
    }
    all.numbers[game] += all.games;
    status = TURN(HERE, all.seed, all.numbers[game], 1, 0);
    if (status == OVER) stop(HERE);   /* a game without any question */
  }
  u32 who = load32_whole(HERE, 0, TURN_AT) * 16;
  u32 seat = load32_whole(HERE, who, ASKED), count = load32_whole(HERE, who, ASKED + 8);
  u32 offered = count + load32_whole(HERE, who, ASKED + 12);
  OBSERVE(HERE, seat);
  ROLLED for (u32 at = 0; at < SEEN; at++)
    all.rows[(u64)game * SEEN + at] = load32_whole(HERE, 4 * at, ROW);
  ROLLED for (u32 number = 0; number < all.most; number++) {
    u32 *const to = all.options + ((u64)game * all.most + number) * WIDTH;
    if (number < offered) OPTION(HERE, number);
    ROLLED for (u32 at = 0; at < WIDTH; at++)
      to[at] = number < offered ? load32_whole(HERE, 4 * at, OPTION_AT) : 0;
  }
  suspend_game(memory, &kept, all.aside, all.games, game);
  said[SEAT] = seat;
  said[OFFERED] = offered;
  said[ENDED] = ended;
}
#ifdef EMULATED
extern "C" void turns(TABLES_GIVEN) {
  struct tables_given all = GIVEN;
  for (u32 game = 0; game < games; game++) {
    try { turn_at(all, game); } catch (ended) {}
  }
}
#else
extern "C" __global__ void turns(TABLES_GIVEN) {
  struct tables_given all = GIVEN;
  u32 game = blockIdx.x * blockDim.x + threadIdx.x;
  if (game < games) turn_at(all, game);
}
#endif
