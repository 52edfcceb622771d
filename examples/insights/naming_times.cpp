#include "insights/naming_times.hpp"

#include <algorithm>
#include <iterator>

#include <nlohmann/json.hpp>

#include "insights/meaning.hpp"
#include "insights/values.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

/// The words for what happens on a date that is called so: `settle`, of `Paid on`.
std::set<std::string> words_of_happening(const std::vector<std::string>& name,
                                         const std::vector<std::string>& asked) {
  std::set<std::string> found;
  for (const auto& group : words().happenings) {
    if (std::ranges::none_of(name, [&](const auto& word) { return group.contains(word); }))
      continue;
    std::ranges::copy_if(asked, std::inserter(found, found.end()),
                         [&](const auto& word) { return group.contains(word); });
  }
  return found;
}

}  // namespace

std::set<std::string> naming_words_of_time(const Json& column,
                                           const std::vector<std::string>& asked) {
  std::set<std::string> by;
  bool names_both = std::ranges::find(asked, "time") != asked.end();
  for (const Json& date : column.at("between")) {
    const std::vector<std::string> name = naming(words_in(date.get<std::string>()));
    std::set<std::string> words = naming_words(name, asked);
    words.merge(words_of_happening(name, asked));
    names_both = names_both && !words.empty();
    by.merge(words);
  }
  std::set<std::string> lasting;
  for (const std::string& word : asked) {
    if (words().has("lasting", word)) lasting.insert(word);
  }
  // `How old`: from birth on.
  const std::vector<std::string> first = words_in(column.at("between").front().get<std::string>());
  const bool is_age = !words_of_happening(first, {"born"}).empty();
  for (const std::string& word : asked) {
    if (is_age && (word == "old" || word == "age" || word == "older" || word == "oldest"))
      lasting.insert(word);
  }
  if (lasting.empty() && !names_both) return {};
  by.merge(lasting);
  return by;
}

std::vector<Naming> by_most_words(std::vector<Naming> names) {
  std::size_t most = 0;
  for (const Naming& one : names) most = std::max(most, one.by.size());
  std::erase_if(names, [&](const Naming& one) { return one.by.size() < most; });
  const bool waits = !names.empty() && std::ranges::any_of(names[0].by, [](const auto& word) {
    return word.starts_with("wait") || word.starts_with("respon");
  });
  if (waits) names.resize(1);
  // From the first of several dates to the last comes before the parts of it.
  const auto first = [](const Naming& one) { return one.column->at("between").front(); };
  const auto last = [](const Naming& one) { return one.column->at("between").back(); };
  std::ranges::stable_partition(names, [&](const Naming& one) {
    return std::ranges::none_of(names, [&](const Naming& other) {
      return last(one) == first(other) || first(one) == last(other);
    });
  });
  const bool stays = !names.empty() && std::ranges::any_of(names[0].by, [](const auto& word) {
    return word.starts_with("stay");
  });
  const auto is_other = [](const Naming& one) { return !is_stay(*one.column); };
  if (stays && !std::ranges::all_of(names, is_other)) std::erase_if(names, is_other);
  return names;
}

const Json* own_duration(const std::vector<Naming>& names, const Json& columns) {
  static const std::set<std::string> plain{"long", "longer",   "longest", "short", "shorter",
                                           "take", "shortest", "takes",   "took",  "lasted",
                                           "last", "lasts",    "duration"};
  const auto is_plain = [](const Naming& one) {
    return one.column->contains("between") && one.column->value("unit", "") == "days" &&
           std::ranges::all_of(one.by, [](const auto& word) { return plain.contains(word); });
  };
  if (names.empty() || !std::ranges::all_of(names, is_plain)) return nullptr;
  const Json* found = nullptr;
  for (const Json& column : columns) {
    const bool is_time = is_number(column) && !column.contains("between") &&
                         words().has("time units", said_unit_of(column));
    if (is_time && found != nullptr) return nullptr;
    if (is_time) found = &column;
  }
  return found;
}

}  // namespace insights
