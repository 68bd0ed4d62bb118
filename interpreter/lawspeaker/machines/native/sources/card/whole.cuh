/* Whether there is another game. In step, all threads of a block begin a game together, so that
   they need the same part of a long program at about the same time. Where some have no more games,
   or have stopped, nobody waits for them. */
DEVICE bool in_step(const struct work &work, bool more) {
#ifndef EMULATED
  if (work.going != FREELY) {
    u32 playing = __syncthreads_count(more);
    open_meetings(work.going == MEETING_UP && playing == BLOCK);
    return playing > 0;
  }
#endif
  return more;
}
DEVICE void play_all(const struct work &work, u32 thread) {
  alignas(16) u8 memory[OWN];
  struct variables variables;
  struct variables *const g = &variables;
  u64 print = 0;
#ifdef EMULATED
  for (u32 at = 0; at < OWN; at++) memory[at] = 0xA5;
#endif
  begin(HERE);
  CONFIGURE(HERE, NEVER, ~0u, 0, 0, work.budget);
  for (;;) {
    u32 number = take(work.next);
    if (!in_step(work, number < work.count)) break;
    if (number >= work.count) continue;
    work.playing[thread] = number;
    SIMULATE(HERE, work.seed, work.first + number, 1);
    print += recorded(HERE, work, number, thread);
  }
  work.playing[thread] = NONE;
  if (work.print) atomicAdd(work.print, print);
}
#ifdef EMULATED
extern "C" void play(WORK, u32 threads) {
  struct work work = GIVEN;
  for (u32 thread = 0; thread < threads; thread++) {
    try { play_all(work, thread); } catch (ended) {}
  }
}
#else
extern "C" __global__ void BOUNDS play(WORK, u32 threads) {
  struct work work = GIVEN;
  fetch();
  open_meetings(false);
  play_all(work, blockIdx.x * blockDim.x + threadIdx.x);
}
#endif
