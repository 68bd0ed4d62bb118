#ifdef EMULATED
DEVICE u32 clz32(u32 a) { return a ? (u32)__builtin_clz(a) : 32; }
DEVICE u32 ctz32(u32 a) { return a ? (u32)__builtin_ctz(a) : 32; }
DEVICE u32 popcnt32(u32 a) { return (u32)__builtin_popcount(a); }
DEVICE u64 clz64(u64 a) { return a ? (u64)__builtin_clzll(a) : 64; }
DEVICE u64 ctz64(u64 a) { return a ? (u64)__builtin_ctzll(a) : 64; }
DEVICE u64 popcnt64(u64 a) { return (u64)__builtin_popcountll(a); }
#else
DEVICE u32 clz32(u32 a) { return (u32)__clz((int)a); }
DEVICE u32 ctz32(u32 a) { return (u32)__clz((int)__brev(a)); }
DEVICE u32 popcnt32(u32 a) { return (u32)__popc(a); }
DEVICE u64 clz64(u64 a) { return (u64)__clzll((i64)a); }
DEVICE u64 ctz64(u64 a) { return (u32)a ? ctz32((u32)a) : 32 + ctz32((u32)(a >> 32)); }
DEVICE u64 popcnt64(u64 a) { return (u64)__popcll(a); }
#endif
