/* Whether the record of a game fits into the sums, and then was added. */
APART bool summed(GAME, u64 *sums) {
#if SUMS
  g->sums = sums;
  return SUM_UP(HERE);
#else
  return false;
#endif
}
