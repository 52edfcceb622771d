#include "memo/fit.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "memo/amounts.hpp"
#include "memo/markdown.hpp"
#include "memo/persons.hpp"
#include "memo/prose.hpp"
#include "memo/vocabulary.hpp"
#include "text/bm25.hpp"

namespace memo {
namespace {

constexpr std::size_t usual_topics = 37;     ///< a sign of a short outline is as rare as here
constexpr std::int64_t example_share = 50;   ///< per cent, beside signs
constexpr std::int64_t heading_share = 170;  ///< per cent: it is about all that stands below

/// Two words with a capital in a row, or one inside a sentence.
bool has_name(std::string_view text) {
  const auto capital = [&](std::size_t at) {
    return at + 1 < text.size() && std::isupper(static_cast<unsigned char>(text[at])) != 0 &&
           std::islower(static_cast<unsigned char>(text[at + 1])) != 0;
  };
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (text[at - 1] == ' ' && capital(at) && (at < 2 || text[at - 2] != '.')) return true;
  }
  return false;
}

/// Each further sign counts less than the one before: ten weak ones are no strong one.
std::int64_t diminishing(std::vector<std::int64_t> points) {
  std::ranges::sort(points, std::greater<>{});
  std::int64_t sum = 0;
  std::int64_t share = 1000;
  for (const auto one : points) {
    sum += one * share / 1000;
    share = share * 65 / 100;
  }
  return sum;
}

/// Stems and pairs of neighbours, stop words too: they tell a plan from a fact.
void add_features(const WordIndex& text, std::vector<std::string>& found) {
  std::string before;
  std::string_view rest = text.stems;
  while (rest.size() > 1) {
    rest.remove_prefix(1);
    std::string stem{rest.substr(0, rest.find(' '))};
    rest.remove_prefix(stem.size());
    if (stem.find_first_of("0123456789") != npos) stem = "0";
    found.push_back(stem);
    if (!before.empty()) found.push_back(before + ' ' + stem);
    before = std::move(stem);
  }
}

/// Whether a passage answers a question that begins with one of `heads`: `When will it pay? — …`
bool answers_another(std::string_view text, const std::vector<std::string>& heads) {
  if (heads.empty() || text.find("? — ") == npos) return false;
  const std::string lower = to_lower(text);
  return std::ranges::any_of(heads, [&](const auto& head) { return lower.starts_with(head); });
}

/// Beside questions with learned words, a sign of one without them counts as much as those mostly
/// add: it would hardly get an answer.
std::vector<std::int64_t> usual_for(const std::vector<std::string>& ids) {
  constexpr std::int64_t usual_words = 150;
  const auto knows = [](const std::string& id) { return Vocabulary::own().knows(id); };
  const bool any = std::ranges::any_of(ids, knows);
  std::vector<std::int64_t> usual;
  for (const auto& id : ids) usual.push_back(any && !knows(id) ? usual_words : 0);
  return usual;
}

void keep_once(std::vector<std::string>& words) {
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
}

}  // namespace

std::set<std::string> kinds_in(std::string_view text) {
  std::set<std::string> kinds;
  if (has_name(text)) kinds.insert("name");
  if (mentions_person(text)) kinds.insert("person");
  for (const Amount& amount : amounts_in(text)) {
    if (is_year(amount)) {
      kinds.insert("date");
    } else {
      kinds.insert(amount.unit.empty() ? "number" : amount.unit == "%" ? "percent" : "money");
    }
  }
  return kinds;
}

Fit::Fit(const std::vector<Topic>& topics) : kinds_(topics.size()), others_asked_(topics.size()) {
  for (const auto& topic : topics) ids_.push_back(topic.id);
  usual_ = usual_for(ids_);
  add_signs(topics);
  add_examples(topics);
}

void Fit::add_signs(const std::vector<Topic>& topics) {
  std::vector<Signs> signs;
  ::text::Index spread;  // a document for each topic
  for (std::size_t i = 0; i < topics.size(); ++i) {
    std::vector<std::string> written;
    for (const auto& sign : topics[i].signs) {
      if (sign.starts_with('@')) {
        kinds_[i].push_back(sign.substr(1));
      } else if (sign.starts_with('!')) {
        others_asked_[i].push_back(to_lower(sign.substr(1)) + ' ');
      } else {
        written.push_back(sign);
      }
    }
    signs.emplace_back(written);
    std::vector<std::string> keys;
    for (const auto& sign : signs.back().all()) keys.push_back(sign.key());
    spread.add(keys);
  }
  for (auto i = topics.size(); i < usual_topics; ++i) spread.add({});
  for (std::size_t i = 0; i < topics.size(); ++i) {
    for (const auto& sign : signs[i].all()) {
      const std::int64_t points = spread.rarity(sign.key()) * (4 + std::min(3, sign.words())) / 5;
      const auto first = sign.first_stem();
      (first.empty() ? others_ : by_stem_[first]).push_back({i, sign, points});
    }
  }
}

void Fit::add_examples(const std::vector<Topic>& topics) {
  ::text::Index index;
  std::vector<std::vector<std::string>> all;
  for (const auto& topic : topics) {
    auto& features = all.emplace_back();
    for (const auto line : lines(topic.query)) add_features(WordIndex{line}, features);
    index.add(features);
    keep_once(features);
  }
  for (std::size_t i = 0; i < topics.size(); ++i) {
    for (const auto& feature : all[i]) {
      const auto points = index.score(i, {feature}) * example_share / 100000;
      if (points > 0) examples_[feature].push_back({i, points});
    }
  }
}

Fit::Points Fit::shown_in(const WordIndex& text, bool as_heading) const {
  Points points(kinds_.size());
  const auto look = [&](const std::vector<Entry>& entries) {
    for (const Entry& entry : entries) {
      const bool asked = as_heading || !entry.sign.heading_only;
      if (asked && entry.sign.is_in(text)) points[entry.topic].push_back(entry.points);
    }
  };
  std::vector<std::string> stems;
  for (std::size_t at = 1; at < text.stems.size(); at = text.stems.find(' ', at) + 1) {
    stems.push_back(text.stems.substr(at, text.stems.find(' ', at) - at));
  }
  keep_once(stems);
  for (const auto& stem : stems) {
    if (const auto found = by_stem_.find(stem); found != by_stem_.end()) look(found->second);
  }
  look(others_);
  return points;
}

std::vector<std::int64_t> Fit::of(std::string_view text, const WordIndex& words,
                                  const WordIndex& heading) const {
  const Points shown = shown_in(words, false);
  const Points above = is_brief(heading) ? shown_in(heading, true) : Points(kinds_.size());
  std::vector<std::int64_t> found;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    found.push_back(diminishing(shown[i]) + heading_share * diminishing(above[i]) / 100);
  }
  std::vector<std::string> features;
  add_features(words, features);
  keep_once(features);
  for (const auto& feature : features) {
    const auto shares = examples_.find(feature);
    if (shares == examples_.end()) continue;
    for (const Share& share : shares->second) found[share.topic] += share.points;
  }
  const auto kinds = kinds_in(text);
  const auto common = Vocabulary::own().points_of(ids_, words, heading, kinds);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool fits = kinds_[i].empty() || std::ranges::any_of(kinds_[i], [&](const auto& kind) {
                        return kinds.contains(kind);
                      });
    if (!fits) found[i] /= 2;
    const bool shows = !shown[i].empty() || !above[i].empty();
    if (!shows) found[i] = std::min(found[i], least_fit - 1);  // it only sounds like an answer
    found[i] += shows ? common[i] + usual_[i] : common[i] / 2;
    if (answers_another(text, others_asked_[i])) found[i] = 0;
  }
  return found;
}

}  // namespace memo
