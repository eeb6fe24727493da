// The part of RE2 that rules need, as C functions: patterns and searches in UTF-8 texts.
#ifndef HEARTH_CRE2_H
#define HEARTH_CRE2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A compiled pattern. Searches in it may run on several threads at once.
typedef struct hearth_pattern hearth_pattern;

// The place of a match or group in bytes of the text. Both are -1 for a group without a match.
typedef struct {
  ptrdiff_t start;
  ptrdiff_t end;
} hearth_span;

// Compiles a pattern. Its automata take at most `memory` bytes. Returns null for a text that is no
// pattern, or one that needs more memory.
hearth_pattern *hearth_pattern_create(const char *text, size_t length, int64_t memory);

void hearth_pattern_destroy(hearth_pattern *pattern);

// Returns the number of groups, without the one for the whole match.
int hearth_pattern_group_count(const hearth_pattern *pattern);

// Returns the number of instructions of the compiled pattern.
int hearth_pattern_size(const hearth_pattern *pattern);

// Searches from `offset` on, or matches the whole text if `whole`. Sets the first `count` spans:
// of the match, and of its groups.
bool hearth_pattern_find(const hearth_pattern *pattern, const char *text, size_t length,
                         size_t offset, bool whole, hearth_span *spans, int count);

#ifdef __cplusplus
}
#endif

#endif
