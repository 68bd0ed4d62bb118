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
/* Threads that went different ways come together behind a branch or a call, but not if too many
   of these are inside each other: a card has room for 16. So what is called from one place only is
   written there, and calls go less deep. */
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
/* A thread ends on the spot. For the compiler that is no branch: so threads that went different
   ways come together again as if nobody could stop. What was looked at is handed through, so that
   nobody uses it before. */
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
