#ifdef EMULATED
static u64 ticks = 0;           /* each reading of the clock advances it by a nanosecond */
DEVICE u64 now() { return ticks++; }
#else
DEVICE u64 now() { u64 time; asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time)); return time; }
#endif
DEVICE void go_on_with(const struct work &work, u32 choices, u64 nanoseconds, u64 *aside,
                       u32 *left, u32 threads, u32 thread) {
  alignas(16) u8 memory[OWN];
  union variables_kept kept;
  struct variables *const g = &kept.variables;
  u64 checksum = 0, began = now();
  u32 number = work.playing[thread];
  bool fresh = number == NONE;
  left[thread] = 0;
  if (fresh) {
#ifdef EMULATED
    for (u32 at = 0; at < OWN; at++) memory[at] = 0xA5;
#endif
    begin(HERE);
    CONFIGURE(HERE, NEVER, ~0u, 0, 0, work.budget);
  } else {
    resume_game(memory, &kept, aside, threads, thread);
  }
  do {
    if (fresh) {
      number = take(work.next);
      if (number >= work.count) { number = NONE; break; }
      work.playing[thread] = number;
    }
    u32 status = SLICE(HERE, work.seed, work.first + number, fresh, choices);
    fresh = status == OVER;
    if (fresh) {
      checksum += recorded(HERE, work, number, thread);
      work.playing[thread] = number = NONE;
    }
  } while (now() - began < nanoseconds);
  if (number != NONE) suspend_game(memory, &kept, aside, threads, thread);
  if (work.checksum && checksum) atomicAdd(work.checksum, checksum);
  left[thread] = 1;
}
#ifdef EMULATED
extern "C" void go_on(WORK, u32 choices, u64 nanoseconds, u64 *aside, u32 *left, u32 threads) {
  struct work work = GIVEN;
  for (u32 thread = 0; thread < threads; thread++) {
    try { go_on_with(work, choices, nanoseconds, aside, left, threads, thread); } catch (ended) {}
  }
}
#else
extern "C" __global__ void BOUNDS go_on(WORK, u32 choices, u64 nanoseconds, u64 *aside, u32 *left,
                                        u32 threads) {
  struct work work = GIVEN;
  u32 thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread < threads) go_on_with(work, choices, nanoseconds, aside, left, threads, thread);
}
#endif
