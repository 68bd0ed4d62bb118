/* Returns whether to continue. In lockstep mode all threads of a block start their games together,
   so that they need the same instructions at about the same time; threads without a game keep
   taking part in the barrier, those that have exited do not. */
DEVICE bool block_continues(const struct work &work, bool more) {
#ifndef EMULATED
  if (work.going != FREE_RUNNING) {
    u32 playing = __syncthreads_count(more);
    reset_soft_barrier(work.going == SOFT_BARRIERS && playing == BLOCK);
    return playing > 0;
  }
#endif
  return more;
}
DEVICE void play_all(const struct work &work, u32 thread) {
  alignas(16) u8 memory[OWN];
  struct variables variables;
  struct variables *const g = &variables;
  u64 checksum = 0;
#ifdef EMULATED
  for (u32 at = 0; at < OWN; at++) memory[at] = 0xA5;
#endif
  begin(HERE);
  CONFIGURE(HERE, NEVER, ~0u, 0, 0, work.budget);
  for (;;) {
    u32 number = take(work.next);
    if (!block_continues(work, number < work.count)) break;
    if (number >= work.count) continue;
    work.playing[thread] = number;
    SIMULATE(HERE, work.seed, work.first + number, 1);
    checksum += recorded(HERE, work, number, thread);
  }
  work.playing[thread] = NONE;
  if (work.checksum) atomicAdd(work.checksum, checksum);
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
  reset_soft_barrier(false);
  play_all(work, blockIdx.x * blockDim.x + threadIdx.x);
}
#endif
