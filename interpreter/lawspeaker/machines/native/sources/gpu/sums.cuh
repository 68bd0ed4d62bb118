/* Adds the record of a game to the sums; returns false if it does not fit. */
APART bool summed(GAME, u64 *sums) {
#if SUMS
  g->sums = sums;
  return SUM_UP(HERE);
#else
  return false;
#endif
}
