FUNCTION u8 *at(GAME, u32 address, u32 offset, u32 size) {
  u64 where = (u64)address + offset;
  stop_if(HERE, where + size > BYTES);
  return memory + where;
}
#define READ(name, kind, back)                                                              \
  FUNCTION back name(GAME, u32 address, u32 offset) {                                       \
    kind value;                                                                             \
    memcpy(&value, at(HERE, address, offset, sizeof(kind)), sizeof(kind));                  \
    return (back)value;                                                                     \
  }
#define WRITE(name, kind, given)                                                            \
  FUNCTION void name(GAME, u32 address, u32 offset, given number) {                         \
    kind value = (kind)number;                                                              \
    memcpy(at(HERE, address, offset, sizeof(kind)), &value, sizeof(kind));                  \
  }
READ(load8_s, i8, u32)
READ(load8_u, u8, u32)
READ(load16_s, i16, u32)
READ(load16_u, u16, u32)
READ(load32, u32, u32)
READ(load64, u64, u64)
READ(loadreal, double, double)
WRITE(store8, u8, u32)
WRITE(store16, u16, u32)
WRITE(store32, u32, u32)
WRITE(store64, u64, u64)
WRITE(storereal, double, double)
FUNCTION void copy(GAME, u32 to, u32 from, u32 count) {
  stop_if(HERE, (u64)to + count > BYTES || (u64)from + count > BYTES);
  memmove(memory + to, memory + from, count);
}
FUNCTION void clear(GAME, u32 to, u32 count) {
  stop_if(HERE, (u64)to + count > BYTES);
  memset(memory + to, 0, count);
}
