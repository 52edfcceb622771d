#include "exports/parts.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace resumable::exports {
namespace {

using Texts = std::vector<std::string_view>;

constexpr std::size_t cuts_at_most = 64;  // places for one cut; more are texts that repeat

std::string_view first_line(std::string_view text) {
  return text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
}

/// The places of lines that occur once.
class Lines {
 public:
  void add(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      const std::string_view line = first_line(text.substr(at));
      Seen& seen = seen_[line];
      ++seen.times;
      seen.at = at;
      at += line.size();
    }
  }
  [[nodiscard]] bool has_once(std::string_view line) const { return find(line) != nullptr; }
  /// @pre has_once(line)
  [[nodiscard]] std::size_t place(std::string_view line) const { return find(line)->at; }

 private:
  struct Seen {
    std::size_t times = 0;
    std::size_t at = 0;
  };
  [[nodiscard]] const Seen* find(std::string_view line) const {
    const auto found = seen_.find(line);
    return found == seen_.end() || found->second.times != 1 ? nullptr : &found->second;
  }

  std::unordered_map<std::string_view, Seen> seen_;
};

/// The places that each cut may have, and the cheapest ways through them.
class Cuts {
 public:
  Cuts(const Texts& texts, std::string_view file)
      : texts_(texts), file_(file), places_(texts.size() + 1) {
    places_.front().insert(0);
    places_.back().insert(file.size());
  }

  /// If the file ends with a text, those after it may be gone.
  void let_end_be_gone() {
    bool ends = false;
    for (std::size_t i = 1; i < places_.size(); ++i) {
      ends = ends || file_.ends_with(texts_[i - 1]);
      if (ends) places_[i].insert(file_.size());
    }
  }

  void add_first_lines() {
    Lines before;
    Lines now;
    for (const std::string_view text : texts_) before.add(text);
    now.add(file_);
    for (std::size_t i = 1; i < texts_.size(); ++i) {
      if (!texts_[i - 1].ends_with('\n')) continue;
      const std::string_view line = first_line(texts_[i]);
      if (before.has_once(line) && now.has_once(line)) places_[i].insert(now.place(line));
    }
  }

  /// If a text is unchanged at one of its cuts, the other cut is known.
  void add_unchanged() {
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      for (const std::size_t at : places_[i]) {
        if (file_.substr(at).starts_with(texts_[i])) places_[i + 1].insert(at + texts_[i].size());
      }
    }
    for (std::size_t i = texts_.size(); i-- > 0;) {
      for (const std::size_t at : places_[i + 1]) {
        if (file_.substr(0, at).ends_with(texts_[i])) places_[i].insert(at - texts_[i].size());
      }
    }
  }

  [[nodiscard]] std::vector<Split> cheapest(std::size_t most) {
    const bool too_many = std::ranges::any_of(
        places_, [](const auto& places) { return places.size() > cuts_at_most; });
    if (too_many || !work_out_costs()) return {};
    return follow_back(most);
  }

 private:
  using Costs = std::map<std::size_t, std::size_t>;  ///< by place of a cut: texts changed before it

  [[nodiscard]] bool is_changed(std::size_t text, std::size_t begin, std::size_t end) const {
    return file_.substr(begin, end - begin) != texts_[text];
  }

  [[nodiscard]] bool work_out_costs() {
    costs_.assign(places_.size(), {});
    costs_.front()[0] = 0;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      for (const std::size_t end : places_[i + 1]) {
        for (const auto& [begin, cost] : costs_[i]) {
          if (begin > end) break;
          const std::size_t sum = cost + (is_changed(i, begin, end) ? 1 : 0);
          const auto [known, fresh] = costs_[i + 1].emplace(end, sum);
          if (!fresh) known->second = std::min(known->second, sum);
        }
      }
    }
    return costs_.back().contains(file_.size());
  }

  /// All ways of least cost, from the end to the begin.
  [[nodiscard]] std::vector<Split> follow_back(std::size_t most) const {
    std::vector<Split> splits;
    std::vector<std::size_t> cuts(places_.size());
    std::vector<std::pair<std::size_t, std::size_t>> open{{texts_.size(), file_.size()}};
    while (!open.empty() && splits.size() < most) {
      const auto [cut, end] = open.back();
      open.pop_back();
      cuts[cut] = end;
      if (cut == 0) {
        splits.push_back(split_of(cuts));
        continue;
      }
      const std::size_t wanted = costs_[cut].at(end);
      for (const auto& [begin, cost] : costs_[cut - 1]) {
        if (begin > end) break;
        const std::size_t sum = cost + (is_changed(cut - 1, begin, end) ? 1 : 0);
        if (sum == wanted) open.emplace_back(cut - 1, begin);
      }
    }
    return splits;
  }

  [[nodiscard]] Split split_of(const std::vector<std::size_t>& cuts) const {
    Split split;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      split.parts.push_back(file_.substr(cuts[i], cuts[i + 1] - cuts[i]));
      if (split.parts.back() != texts_[i]) split.changed.push_back(i);
    }
    return split;
  }

  const Texts& texts_;
  std::string_view file_;
  std::vector<std::set<std::size_t>> places_;  ///< of the cut before each text, and of the end
  std::vector<Costs> costs_;
};

}  // namespace

std::vector<Split> splits_of(const Texts& texts, std::string_view file, std::size_t most) {
  for (const bool may_be_gone : {false, true}) {
    Cuts cuts{texts, file};
    if (may_be_gone) cuts.let_end_be_gone();
    cuts.add_first_lines();
    cuts.add_unchanged();
    auto splits = cuts.cheapest(most);
    if (!splits.empty()) return splits;
  }
  return {};
}

}  // namespace resumable::exports
