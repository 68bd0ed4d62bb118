#if defined(SOFT_BARRIER) && !defined(EMULATED)
/* A soft barrier in long loops: a warp that is half an iteration ahead of the average of its block
   waits, so that all warps need the same instructions at about the same time. Waiting is bounded,
   so no deadlock is possible. Each active thread of a warp counts as one arrival. */
__shared__ u32 rounds_of[BLOCK / 32], rounds_of_all, waiting;
DEVICE void reset_soft_barrier(bool open) {
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
#define soft_barrier(...) do if (waiting) wait_for_others(); while (0)
#else
#define soft_barrier(...)
DEVICE void reset_soft_barrier(bool open) {}
#endif
