#define FUNCTION static inline
#define ONCE FUNCTION
#define SHORT static inline __attribute__((always_inline))
#define ROLLED
#define GAME u8 *restrict const memory, struct variables *restrict const g
#define HERE memory, g
#define GLOBAL(n) g->g##n
__attribute__((noreturn, cold, noinline)) static void stop(GAME) { longjmp(g->out, 1); }
SHORT void stop_if(GAME, u32 when) { if (when) stop(HERE); }
FUNCTION void deeper(GAME) { stop_if(HERE, ++g->depth > DEEPEST); }
FUNCTION void higher(GAME) { g->depth--; }
