// The processor's hint that memory will soon be read. It has no effect on what a program does.

#ifndef HEARTH_PREFETCH_H
#define HEARTH_PREFETCH_H

/// Asks the processor to fetch the cache line at an address, which need not be valid.
static inline void hearth_prefetch(const void *_Nullable address) {
  __builtin_prefetch(address, 0, 3);
}

#endif
