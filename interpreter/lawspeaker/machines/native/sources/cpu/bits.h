FUNCTION u32 clz32(u32 a) { return a ? (u32)__builtin_clz(a) : 32; }
FUNCTION u32 ctz32(u32 a) { return a ? (u32)__builtin_ctz(a) : 32; }
FUNCTION u32 popcnt32(u32 a) { return (u32)__builtin_popcount(a); }
FUNCTION u64 clz64(u64 a) { return a ? (u64)__builtin_clzll(a) : 64; }
FUNCTION u64 ctz64(u64 a) { return a ? (u64)__builtin_ctzll(a) : 64; }
FUNCTION u64 popcnt64(u64 a) { return (u64)__builtin_popcountll(a); }
FUNCTION double maxreal(GAME, double a, double b) {
  if (a != a || b != b) return a + b;
  return a == b ? (__builtin_signbit(a) ? b : a) : a > b ? a : b;
}
