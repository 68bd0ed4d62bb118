#if defined(MEETING) && !defined(EMULATED)
/* Whoever is half a round ahead of the others of a block waits, so that all need the same
   instructions at about the same time. Nobody waits for long, whatever others do. Threads that come
   by together count for as many as they are. */
__shared__ u32 rounds_of[BLOCK / 32], rounds_of_all, waiting;
DEVICE void open_meetings(bool open) {
  if (threadIdx.x < BLOCK / 32) rounds_of[threadIdx.x] = 0;
  rounds_of_all = 0, waiting = open;
  __syncthreads();
}
static __device__ __noinline__ void wait_for_others() {
  u32 here = __activemask(), came = __popc(here);
  if (threadIdx.x % 32 == __ffs((int)here) - 1) {
    u32 own = (atomicAdd(rounds_of + threadIdx.x / 32, came) + came) * (BLOCK / 32);
    atomicAdd(&rounds_of_all, came);
    for (u32 nap = 0; nap < NAPS; nap++) {
      if ((i32)(own - *(volatile u32 *)&rounds_of_all) <= (i32)(BLOCK / 2)) break;
      __nanosleep(200);
    }
  }
  __syncwarp(here);
}
#define meet(...) do if (waiting) wait_for_others(); while (0)
#else
#define meet(...)
DEVICE void open_meetings(bool open) {}
#endif
