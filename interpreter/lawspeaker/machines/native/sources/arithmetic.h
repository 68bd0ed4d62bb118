SHORT u32 div_s32(GAME, u32 a, u32 b) {
  stop_if(HERE, b == 0 || (a == 0x80000000u && b == 0xFFFFFFFFu));
  return (u32)((i32)a / (i32)b);
}
SHORT u32 div_u32(GAME, u32 a, u32 b) { stop_if(HERE, b == 0); return a / b; }
SHORT u32 rem_s32(GAME, u32 a, u32 b) {
  stop_if(HERE, b == 0);
  return b == 0xFFFFFFFFu ? 0 : (u32)((i32)a % (i32)b);
}
SHORT u32 rem_u32(GAME, u32 a, u32 b) { stop_if(HERE, b == 0); return a % b; }
FUNCTION u64 div_s64(GAME, u64 a, u64 b) {
  stop_if(HERE, b == 0 || (a == 1ull << 63 && b == ~0ull));
  return (u64)((i64)a / (i64)b);
}
FUNCTION u64 div_u64(GAME, u64 a, u64 b) { stop_if(HERE, b == 0); return a / b; }
FUNCTION u64 rem_s64(GAME, u64 a, u64 b) {
  stop_if(HERE, b == 0);
  return b == ~0ull ? 0 : (u64)((i64)a % (i64)b);
}
FUNCTION u64 rem_u64(GAME, u64 a, u64 b) { stop_if(HERE, b == 0); return a % b; }
SHORT u32 select32(u32 which, u32 one, u32 other) { return which ? one : other; }
SHORT u64 select64(u32 which, u64 one, u64 other) { return which ? one : other; }
SHORT double selectreal(u32 which, double one, double other) { return which ? one : other; }
