#ifdef EMULATED
#define EVEN(kind) stop_if(HERE, (address + offset) % sizeof(kind))
#else
#define EVEN(kind)
#endif
/* Bounds checks, of an offset `far` from a place in a region of `all` bytes. `within` exits the
   thread: used for writes through pointers, so that running out of space for options is noticed.
   `at_most` clamps to the last word of the region, in one operation instead of three: used for
   arrays, whose bounds generated code never exceeds. */
#ifdef CHECKED
DEVICE u32 within(GAME, u32 far, u32 place, u32 size, u32 all) {
  return up_to(HERE, place > all - size ? 0 : all - size - place, far);
}
#else
DEVICE u32 within(GAME, u32 far, u32 place, u32 size, u32 all) { return far; }
#endif
#if defined(CHECKED) && !defined(EMULATED)
DEVICE u32 at_most(GAME, u32 far, u32 place, u32 size, u32 all) {
  u32 most = place > all - size ? 0 : all - size - place;
  return far < most ? far : most;
}
#else
#define at_most within
#endif
/* The same for constant addresses. */
DEVICE u32 at_once(GAME, u32 far, u32 place, u32 size, u32 all) {
  if (place > all - size || far > all - size - place) stop(HERE);
  return far;
}
/* The same bytes may be read and written as words of different sizes, hence `may_alias`.
   An offset below FIRST belongs to a pointer, whose target is in own memory or in the tables. Any
   other offset is entry 0 of an array, which is in the same region as all its entries. */
#define WORD(kind, at) (*(kind __attribute__((may_alias)) *)(at))
#define POINTS (offset < FIRST)
#define FAR(from) (POINTS ? address + offset - (from) : address)
#define PLACE(from) (POINTS ? 0 : offset - (from))
#define OWN_PLACE(looked, size) \
  (memory + PLACE(FIRST) + looked(HERE, FAR(FIRST), PLACE(FIRST), (size), OWN))
/* Arrays in shared memory, interleaved by thread. The position and size of each are constants;
   generated code never exceeds its end. */
#ifdef EMULATED
static u8 shared_bytes[SHARED_SIZE + 8];
#define SHARED_WORD(kind, at) WORD(kind, shared_bytes + (at))
DEVICE u32 in_shared(GAME, u32 far, u32 most) { return up_to(HERE, most, far); }
#else
extern __shared__ __align__(16) u8 shared_bytes[];
#define SHARED_WORD(kind, at) WORD(kind, shared_bytes + (at) * BLOCK + threadIdx.x * (u32)sizeof(kind))
#ifdef CHECKED
DEVICE u32 in_shared(GAME, u32 far, u32 most) { return far < most ? far : most; }
#else
DEVICE u32 in_shared(GAME, u32 far, u32 most) { return far; }
#endif
#endif
#define SHARED_ARRAY(place) (((place) - SHARED_BASE) / SHARED_SPACING)
#define SHARED_OFFSET(place) ((place) - SHARED_BASE - SHARED_ARRAY(place) * SHARED_SPACING - BEHIND)
#define SHARED_PLACE(kind) (shared_at(SHARED_ARRAY(offset)) + in_shared(HERE,                       \
  address + SHARED_OFFSET(offset), shared_size(SHARED_ARRAY(offset)) - (u32)sizeof(kind)))
#define READING(name, looked, kind, back)                                                   \
  DEVICE back name(GAME, u32 address, u32 offset) {                                         \
    EVEN(kind);                                                                             \
    if (offset >= SHARED_BASE) return (back)SHARED_WORD(const kind, SHARED_PLACE(kind));               \
    if (POINTS) {                                                                           \
      u32 at = looked(HERE, FAR(FIRST), 0, sizeof(kind), GAP + TABLES_SIZE);                \
      return (back)WORD(const kind, at < GAP ? memory + at : fixed + (at - GAP));           \
    }                                                                                       \
    if (offset < TABLES) {                                                                  \
      return (back)WORD(const kind, OWN_PLACE(looked, sizeof(kind)));                       \
    }                                                                                       \
    u32 at = looked(HERE, address + offset - TABLES, 0, sizeof(kind), TABLES_SIZE);         \
    return (back)WORD(const kind, fixed + at);                                              \
  }
#define WRITING(name, looked, kind, given)                                                  \
  DEVICE void name(GAME, u32 address, u32 offset, given number) {                           \
    EVEN(kind);                                                                             \
    if (offset >= SHARED_BASE) { SHARED_WORD(kind, SHARED_PLACE(kind)) = (kind)number; return; }       \
    u8 *const at = POINTS ? OWN_PLACE(within, sizeof(kind)) : OWN_PLACE(looked, sizeof(kind)); \
    WORD(kind, at) = (kind)number;                                                          \
  }
#define READ(name, kind, back)                                                              \
  READING(name##_whole, at_most, kind, back)                                                \
  READING(name##_fixed, at_once, kind, back)
#define WRITE(name, kind, given)                                                            \
  WRITING(name##_whole, at_most, kind, given)                                               \
  WRITING(name##_fixed, at_once, kind, given)
READ(load8_s, i8, u32)
READ(load8_u, u8, u32)
READ(load16_s, i16, u32)
READ(load16_u, u16, u32)
READ(load32, u32, u32)
READ(load64, u64, u64)
WRITE(store8, u8, u32)
WRITE(store16, u16, u32)
WRITE(store32, u32, u32)
WRITE(store64, u64, u64)
/* Accesses to a long word that is aligned only to its halves. */
DEVICE u64 load64_halves(GAME, u32 address, u32 offset) {
  u32 low = load32_whole(HERE, address, offset), high = load32_whole(HERE, address, offset + 4);
  return low | (u64)high << 32;
}
DEVICE void store64_halves(GAME, u32 address, u32 offset, u64 number) {
  store32_whole(HERE, address, offset, (u32)number);
  store32_whole(HERE, address, offset + 4, (u32)(number >> 32));
}
/* Accesses of unknown alignment. Stores and targets of pointers must be aligned; otherwise the
   thread exits. A load from an array is assembled from all words that it may span. */
#define ODD(mask) ((address + offset) & (mask))
#ifdef EMULATED
DEVICE u32 across(u32 low, u32 high, u32 by) { return (u32)((low | (u64)high << 32) >> by); }
#else
DEVICE u32 across(u32 low, u32 high, u32 by) { return __funnelshift_r(low, high, by); }
#endif
DEVICE u64 load_across(GAME, u32 address, u32 offset, bool more) {
  u32 place = offset & ~3u, far = address + (offset & 3), odd = far & 3, first = far - odd;
  u32 one = load32_whole(HERE, first, place), two = load32_whole(HERE, first, place + 4);
  u32 three = more ? load32_whole(HERE, first, place + 8) : 0;
  return across(one, two, 8 * odd) | (u64)across(two, three, 8 * odd) << 32;
}
DEVICE u32 load16_u(GAME, u32 address, u32 offset) {
  return load8_u_whole(HERE, address, offset) | load8_u_whole(HERE, address, offset + 1) << 8;
}
DEVICE u32 load16_s(GAME, u32 address, u32 offset) {
  return (u32)(i32)(i16)load16_u(HERE, address, offset);
}
DEVICE u32 load32(GAME, u32 address, u32 offset) {
  if (!POINTS) return (u32)load_across(HERE, address, offset, false);
  stop_if(HERE, ODD(3));
  return load32_whole(HERE, address, offset);
}
DEVICE u64 load64(GAME, u32 address, u32 offset) {
  if (!POINTS) return load_across(HERE, address, offset, true);
  stop_if(HERE, ODD(3));
  return load64_halves(HERE, address, offset);
}
DEVICE void store16(GAME, u32 address, u32 offset, u32 number) {
  stop_if(HERE, ODD(1));
  store16_whole(HERE, address, offset, number);
}
DEVICE void store32(GAME, u32 address, u32 offset, u32 number) {
  stop_if(HERE, ODD(3));
  store32_whole(HERE, address, offset, number);
}
DEVICE void store64(GAME, u32 address, u32 offset, u64 number) {
  stop_if(HERE, ODD(3));
  store64_halves(HERE, address, offset, number);
}
APART void copy_local(GAME, u32 to, u32 from, u32 count) {
  bool inside = from - FIRST < GAP;
  u32 all = inside ? OWN : TABLES_SIZE;
  count = up_to(HERE, all < OWN ? all : OWN, count);
  u32 target = up_to(HERE, OWN - count, to - FIRST);
  u32 source = up_to(HERE, all - count, from - (inside ? FIRST : TABLES));
  const u8 *origin = (inside ? memory : fixed) + source;
  u8 *const goal = memory + target;
  u32 at = 0;
  if (from < to && to - from < count) {
    ROLLED while (count--) goal[count] = origin[count];
    return;
  }
  if (!((to | from) & 7)) {
    ROLLED for (; at + 32 <= count; at += 32) {
      u64 a = WORD(u64, origin + at), b = WORD(u64, origin + at + 8);
      u64 c = WORD(u64, origin + at + 16), d = WORD(u64, origin + at + 24);
      WORD(u64, goal + at) = a, WORD(u64, goal + at + 8) = b;
      WORD(u64, goal + at + 16) = c, WORD(u64, goal + at + 24) = d;
    }
    ROLLED for (; at + 8 <= count; at += 8) WORD(u64, goal + at) = WORD(u64, origin + at);
  }
  if (!((to | from) & 3))
    ROLLED for (; at + 4 <= count; at += 4) WORD(u32, goal + at) = WORD(u32, origin + at);
  ROLLED for (; at < count; at++) goal[at] = origin[at];
}
APART void clear_local(GAME, u32 to, u32 count) {
  count = up_to(HERE, OWN, count);
  u8 *const goal = memory + up_to(HERE, OWN - count, to - FIRST);
  u32 at = 0;
  if (!(to & 7))
    ROLLED for (; at + 8 <= count; at += 8) WORD(u64, goal + at) = 0;
  if (!(to & 3))
    ROLLED for (; at + 4 <= count; at += 4) WORD(u32, goal + at) = 0;
  ROLLED for (; at < count; at++) goal[at] = 0;
}
/* Copies and clears of shared arrays, at constant addresses: from the tables into an array, or from
   an array to an aligned pointer. */
#define SHARED_BY_WIDTH(where, what)                                                          \
  u32 place = shared_at(SHARED_ARRAY(where)) + SHARED_OFFSET(where);                                 \
  switch (shared_width(SHARED_ARRAY(where))) {                                                  \
    case 8: what(u64) break;                                                                \
    case 4: what(u32) break;                                                                \
    case 2: what(u16) break;                                                                \
    default: what(u8)                                                                       \
  }
#define EACH(kind) ROLLED for (u32 at = 0; at < count; at += sizeof(kind))
#define COPIED(kind) \
  EACH(kind) SHARED_WORD(kind, place + at) = WORD(const kind, fixed + (from - TABLES) + at);
#define CLEARED(kind) EACH(kind) SHARED_WORD(kind, place + at) = 0;
#define TO_LOCAL(kind) EACH(kind) WORD(kind, goal + at) = SHARED_WORD(const kind, place + at);
DEVICE void copy(GAME, u32 to, u32 from, u32 count) {
  if (to >= SHARED_BASE) {
    SHARED_BY_WIDTH(to, COPIED)
  } else if (from >= SHARED_BASE) {
    u8 *const goal = memory + up_to(HERE, OWN - count, to - FIRST);
    SHARED_BY_WIDTH(from, TO_LOCAL)
  } else {
    copy_local(HERE, to, from, count);
  }
}
DEVICE void clear(GAME, u32 to, u32 count) {
  if (to < SHARED_BASE) { clear_local(HERE, to, count); return; }
  SHARED_BY_WIDTH(to, CLEARED)
}
/* The same for constant addresses, in words as large as the alignment allows. */
struct __attribute__((may_alias, aligned(16))) pair { u64 one, two; };
#define PAIR(at) (*(struct pair *)(at))
#define EACH_OF(size) SEVERAL for (; at + size <= count; at += size)
#define COPY_BY(kind) \
  EACH_OF(sizeof(kind)) WORD(kind, goal + at) = WORD(const kind, origin + at);
#define CLEAR_BY(kind) EACH_OF(sizeof(kind)) WORD(kind, goal + at) = 0;
#define BY_SIZE(odd, what)                                                                  \
  if (!((odd) & 7)) what(u64)                                                               \
  if (!((odd) & 3)) what(u32)                                                               \
  what(u8)
DEVICE void copy_fixed(GAME, u32 to, u32 from, u32 count) {
  bool inside = from - FIRST < GAP;
  if (to >= SHARED_BASE || from >= SHARED_BASE || (inside && from < to + count && to < from + count)) {
    copy(HERE, to, from, count);
    return;
  }
  u8 *const goal = memory + at_once(HERE, to - FIRST, 0, count, OWN);
  const u8 *const origin = inside ? memory + at_once(HERE, from - FIRST, 0, count, OWN)
                                  : fixed + at_once(HERE, from - TABLES, 0, count, TABLES_SIZE);
  u32 at = 0;
  if (!((to | from) & 15))
    EACH_OF(16) PAIR(goal + at) = *(const struct pair *)(origin + at);
  BY_SIZE(to | from, COPY_BY)
}
DEVICE void clear_fixed(GAME, u32 to, u32 count) {
  if (to >= SHARED_BASE) { clear(HERE, to, count); return; }
  u8 *const goal = memory + at_once(HERE, to - FIRST, 0, count, OWN);
  u32 at = 0;
  if (!(to & 15))
    EACH_OF(16) PAIR(goal + at) = {0, 0};
  BY_SIZE(to, CLEAR_BY)
}
