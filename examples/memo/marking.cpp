// Puts the later of two figures first on a page.
#include <algorithm>
#include <string>
#include <string_view>

#include "memo/corrections.hpp"
#include "memo/statements.hpp"

namespace memo {
namespace {

std::string with_date(std::string_view mark, std::string_view date) {
  return std::string{mark} + " (" + std::string{date} + ")";
}

/// Marks both with their dates, and as later and earlier if there are two.
void mark(Finding& later, Finding& earlier, const Corpus& corpus) {
  const auto [before, after] = corpus.dates(earlier.source, later.source);
  if (before.empty()) {
    earlier.mark = undated_mark;
    if (!later.mark) later.mark = std::string{dated_mark} + " " + std::string{after};
  } else {
    earlier.mark = with_date(earlier_mark, before);
    later.mark = with_date(later_mark, after);
  }
}

bool is_marked_behind(const Finding& finding) {
  return finding.mark && is_set_behind(*finding.mark);
}

}  // namespace

void put_later_first(std::vector<Finding>& findings, const std::vector<Correction>& corrected,
                     const Corpus& corpus) {
  std::vector<Finding> sorted;
  const auto stated = [&](const std::string& quote) {
    return std::ranges::find(sorted, quote, &Finding::quote);
  };
  for (Finding finding : findings) {
    if (stated(finding.quote) != sorted.end()) continue;
    auto behind = sorted.end();
    for (const Correction* one : later_than(corrected, finding.source, finding.quote)) {
      auto later = stated(one->later_text);
      if (later == sorted.end()) {
        later = sorted.insert(behind, Finding{finding.topic, one->later_text, one->later_source});
      }
      mark(*later, finding, corpus);
      behind = std::find_if_not(later + 1, sorted.end(), is_marked_behind);
    }
    sorted.insert(behind, std::move(finding));
  }
  findings = std::move(sorted);
}

}  // namespace memo
