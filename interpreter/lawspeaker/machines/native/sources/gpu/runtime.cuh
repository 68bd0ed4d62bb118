#ifdef EMULATED
#include <math.h>
#define DEVICE static inline
#define SHORT DEVICE
#define FUNCTION static
#define ONCE static
#define APART static
#define DATA
#define ROLLED
#define SEVERAL
struct ended {};
template <class T> static T atomicAdd(T *at, T more) { T was = *at; *at += more; return was; }
#else
#define DEVICE static __device__ __forceinline__
#define SHORT DEVICE
#if defined(LONG) && !defined(INLINED)
#define FUNCTION static __device__ __noinline__
#else
#define FUNCTION static __device__
#endif
/* Diverged threads reconverge after a branch or call, but a GPU has only 16 convergence barriers.
   Functions with a single call site are inlined, so that less is nested. */
#ifdef ASKED_OUTSIDE
#define ONCE FUNCTION
#else
#define ONCE DEVICE
#endif
#define APART static __device__ __noinline__
#define DATA __device__
#define ROLLED _Pragma("unroll 1")
#define SEVERAL _Pragma("unroll 4")
#endif
#define GAME u8 *const memory, struct variables *const g
#define HERE memory, g
#define GLOBAL(n) g->g##n
extern "C" { alignas(16) DATA u8 tables[TABLES_SIZE]; }
#if defined(FETCHED) && !defined(EMULATED)
alignas(16) __shared__ u8 fixed[TABLES_SIZE];
DEVICE void fetch() {
  for (u32 at = 8 * threadIdx.x; at < TABLES_SIZE; at += 8 * blockDim.x)
    *(u64 *)(fixed + at) = *(const u64 *)(tables + at);
  __syncthreads();
}
#else
#define fixed tables
DEVICE void fetch() {}
#endif
#ifdef EMULATED
[[noreturn]] DEVICE void stop(GAME) { throw ended(); }
DEVICE void stop_if(GAME, u32 when) { if (when) stop(HERE); }
DEVICE u32 up_to(GAME, u32 most, u32 number) { stop_if(HERE, number > most); return number; }
#else
/* Exits the thread by inline assembly, which the compiler does not see as a branch: so threads
   reconverge as if none could stop. `up_to` passes its number through the assembly, so that no use
   is moved before the test. */
[[noreturn]] DEVICE void stop(GAME) { asm volatile("exit;"); __builtin_unreachable(); }
DEVICE void stop_if(GAME, u32 when) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p exit; }" : : "r"(when));
}
DEVICE u32 up_to(GAME, u32 most, u32 number) {
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %0, %1; @p exit; }" : "+r"(number) : "r"(most));
  return number;
}
#endif
DEVICE void deeper(GAME) { stop_if(HERE, ++g->depth > DEEPEST); }
DEVICE void higher(GAME) { g->depth--; }
