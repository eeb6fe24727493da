#include "CRE2.h"

#include <re2/re2.h>

#include <new>
#include <vector>

struct hearth_pattern {
  RE2 expression;

  hearth_pattern(re2::StringPiece text, const RE2::Options &options) : expression(text, options) {}
};

hearth_pattern *hearth_pattern_create(const char *text, size_t length, int64_t memory) {
  RE2::Options options(RE2::DefaultOptions);
  options.set_log_errors(false);
  options.set_max_mem(memory);
  auto *pattern = new (std::nothrow)
      hearth_pattern(re2::StringPiece(text == nullptr ? "" : text, length), options);
  if (pattern != nullptr && !pattern->expression.ok()) {
    delete pattern;
    return nullptr;
  }
  return pattern;
}

void hearth_pattern_destroy(hearth_pattern *pattern) { delete pattern; }

int hearth_pattern_group_count(const hearth_pattern *pattern) {
  return pattern->expression.NumberOfCapturingGroups();
}

int hearth_pattern_size(const hearth_pattern *pattern) {
  return pattern->expression.ProgramSize();
}

bool hearth_pattern_find(const hearth_pattern *pattern, const char *text, size_t length,
                         size_t offset, bool whole, hearth_span *spans, int count) {
  // An empty buffer may have no address, which RE2 takes for a group without a match.
  if (text == nullptr) text = "";
  std::vector<re2::StringPiece> groups(static_cast<size_t>(count));
  const re2::StringPiece piece(text, length);
  const auto anchor = whole ? RE2::ANCHOR_BOTH : RE2::UNANCHORED;
  if (!pattern->expression.Match(piece, offset, length, anchor, groups.data(), count)) return false;
  for (int index = 0; index < count; ++index) {
    const re2::StringPiece &group = groups[static_cast<size_t>(index)];
    if (group.data() == nullptr) {
      spans[index] = {-1, -1};
    } else {
      spans[index].start = group.data() - text;
      spans[index].end = spans[index].start + static_cast<ptrdiff_t>(group.size());
    }
  }
  return true;
}
