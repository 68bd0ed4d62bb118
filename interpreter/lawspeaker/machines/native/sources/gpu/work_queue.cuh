DEVICE u32 take(u32 *next) {
#ifdef EMULATED
  return atomicAdd(next, 1u);
#else
  /* Warp-aggregated: active threads of a warp get consecutive numbers by one atomic. */
  u32 free = __activemask(), lane = threadIdx.x & 31, start = 0;
  u32 leader = __ffs((int)free) - 1;
  if (lane == leader) start = atomicAdd(next, (u32)__popc(free));
  start = __shfl_sync(free, start, (int)leader);
  return start + __popc(free & ((1u << lane) - 1));
#endif
}
