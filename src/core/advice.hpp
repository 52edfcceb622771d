/// @file
/// Sentences with the options that they advise.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "resumable/advice.hpp"

namespace resumable::core {

/// `accept it as well (--accept deck)`: options that `write` has no words for are left out.
[[nodiscard]] RESUMABLE_EXPORT std::string with_advice(std::string_view sentence,
                                                       std::span<const Advice> all,
                                                       AdviceWriter write);

/// `[{"option":"reject","selector":"draft"}]`
template <class Document>
[[nodiscard]] Document advice_json(std::span<const Advice> all) {
  Document list = Document::array();
  for (const Advice& one : all) {
    Document entry{{"option", to_string(one.option)}};
    if (!one.selector.empty()) entry["selector"] = one.selector;
    if (one.leave_out) entry["leave_out"] = true;
    list.push_back(std::move(entry));
  }
  return list;
}

/// For texts beside which the advice is data.
[[nodiscard]] inline std::string no_advice(const Advice& /*advice*/) { return {}; }

}  // namespace resumable::core
