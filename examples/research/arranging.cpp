#include "research/arranging.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "research/agreement.hpp"
#include "research/figures.hpp"
#include "research/leaning.hpp"
#include "research/opening.hpp"
#include "research/pieces.hpp"
#include "research/revisions.hpp"
#include "research/subject.hpp"
#include "research/text.hpp"
#include "research/topic.hpp"

namespace research {
namespace {

using Json = nlohmann::json;

constexpr std::size_t lead_length = 4;  ///< statements

/// What stands below one heading of a page.
struct Place {
  std::vector<const Piece*> pieces;
  std::vector<const Piece*> joined;  ///< from other pages
};

using Figures = std::map<std::string, std::set<std::string>>;

/// The figures of `earlier` for whose unit `later` has others.
void add_outdated(Figures& outdated, const Said& earlier, const Said& later) {
  for (const auto& [unit, numbers] : earlier.figures) {
    const auto now = later.figures.find(unit);
    if (now == later.figures.end()) continue;
    for (const std::string& number : numbers) {
      if (!has_same(now->second, unit, number)) outdated[unit].insert(number);
    }
  }
}

bool has_one_of(const Said& said, const Figures& figures) {
  return std::ranges::any_of(figures, [&](const auto& one) {
    const auto own = said.figures.find(one.first);
    return own != said.figures.end() &&
           std::ranges::any_of(own->second, [&](const auto& n) { return one.second.contains(n); });
  });
}

/// `The mill closed in 2021`: with a later text that says it is open again, it misleads.
bool tells_of_end(const std::vector<std::string>& words) {
  static const std::set<std::string_view> ends{"closed",    "shut",      "ended",   "ceased",
                                               "abandoned", "suspended", "chained", "stopped"};
  return std::ranges::any_of(words, [](const auto& word) { return ends.contains(word); });
}

bool tells_of_reopening(const std::vector<std::string>& words) {
  static const std::set<std::string_view> returns{"reopen",    "reopens",  "reopened", "reopening",
                                                  "restarted", "restored", "resumed",  "returned"};
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool again = i > 0 && words[i] == "again" && words[i - 1].starts_with("open");
    if (again || returns.contains(words[i])) return true;
  }
  return false;
}

class Arranger {
 public:
  Arranger(const Json& goals, const std::string& topic)
      : topic_{topic_terms(topic)}, subject_{topic}, pieces_{pieces_of(goals, topic)} {
    for (const Piece& piece : pieces_) groups_[key(piece)].pieces.push_back(&piece);
    join();
    choose_lead();
  }

  [[nodiscard]] Json lead() const {
    Json list = Json::array();
    for (const Piece* piece : lead_) list.push_back(statement(*piece));
    return list;
  }

  /// A goal's paragraphs, one for each claim: the page on the topic first, then the one with the
  /// most.
  [[nodiscard]] Json paragraphs(std::size_t goal) const {
    std::map<std::string, std::pair<std::size_t, std::size_t>> weight;
    std::vector<const Place*> own;
    for (const auto& [where, group] : groups_) {
      if (std::get<0>(where) != goal || group.pieces.empty()) continue;
      own.push_back(&group);
      for (const Piece* piece : group.pieces) {
        weight[piece->page].first = piece->named;
        weight[piece->page].second += piece->weight;
      }
    }
    std::ranges::stable_sort(own, [&](const Place* a, const Place* b) {
      const Piece& first = *a->pieces.front();
      const Piece& second = *b->pieces.front();
      if (first.page == second.page) return first.place < second.place;
      return std::pair{weight[second.page], first.page} <
             std::pair{weight[first.page], second.page};
    });
    Json list = Json::array();
    for (const Place* group : own) {
      for (const Claim& claim : claims_of(*group)) {
        Json paragraph = Json::array();
        for (const Piece* piece : claim) paragraph.push_back(statement(*piece));
        list.push_back(std::move(paragraph));
      }
    }
    return list;
  }

 private:
  using Key = std::tuple<std::size_t, std::string, std::string>;
  using Where = std::pair<std::string, std::string>;  // page, heading

  static Where place_of(const Piece& piece) { return {piece.page, piece.heading}; }
  static Key key(const Piece& piece) { return {piece.goal, piece.page, piece.heading}; }
  static Json statement(const Piece& piece) {
    return {{"text", piece.text}, {"finding", piece.id}};
  }

  [[nodiscard]] bool are_read_together(const Piece& one, const Piece& other) const {
    if (!are_apart(one, other)) return are_of_one_list(one, other);
    return links_.contains({&one, &other}) || links_.contains({&other, &one}) ||
           revise(one, other) || correct(one, other);
  }

  /// What is from another place comes page by page, each in the order of the page.
  static void put_in_order(Claim& claim, const Place& place) {
    std::map<std::string, std::size_t> first;  // of each page
    for (const Piece* piece : claim) first.try_emplace(piece->page, first.size());
    std::ranges::stable_sort(claim, {}, [&](const Piece* piece) {
      const bool own = std::ranges::find(place.pieces, piece) != place.pieces.end();
      return own ? std::tuple{false, std::size_t{0}, std::size_t{0}}
                 : std::tuple{true, first.at(piece->page), piece->place};
    });
  }

  /// Divides what stands below one heading.
  [[nodiscard]] std::vector<Claim> claims_of(const Place& place) const {
    Claim all = place.pieces;
    all.insert(all.end(), place.joined.begin(), place.joined.end());
    const auto at = [&](const Piece* piece) { return std::ranges::find(all, piece); };
    std::vector<Claim> claims;
    for (const Piece* piece : all) {
      const bool own = piece->page == all.front()->page;
      if (own && !claims.empty() && goes_on(claims.back(), *piece)) {
        claims.back().push_back(piece);
        continue;
      }
      Claim claim{piece};
      std::erase_if(claims, [&](const Claim& before) {
        const bool same = std::ranges::any_of(
            before, [&](const Piece* other) { return are_read_together(*piece, *other); });
        if (same) claim.insert(claim.end(), before.begin(), before.end());
        return same;
      });
      std::ranges::sort(claim, {}, at);
      put_in_order(claim, place);
      claims.push_back(std::move(claim));
    }
    std::ranges::sort(claims, {}, [&](const Claim& claim) { return at(claim.front()); });
    return claims;
  }

  /// What one takes back comes first, then what is likely newer; then rows, as a table has the
  /// most of its kind.
  [[nodiscard]] std::tuple<bool, bool, bool, std::ptrdiff_t> likeness(const Piece& one,
                                                                      const Piece& other) const {
    return {correct(one, other), revise(one, other), other.is_row, in_common(one, other, topic_)};
  }

  /// Whether one that is about the same thing goes to the place of the other: to a row or a page
  /// without a date, which is where people look it up; else the earlier goes to the later.
  [[nodiscard]] static bool goes_to(const Piece& piece, const Piece& other) {
    if (piece.stays || !are_one_thing(piece, other) || draws_none(other, piece)) return false;
    if (other.stays) return true;
    if (piece.date.empty() != other.date.empty()) return other.date.empty();
    return is_newer(other, piece) || !is_newer(piece, other);
  }

  [[nodiscard]] static bool are_one_thing(const Piece& one, const Piece& other) {
    return are_apart(one, other) && (revise(one, other) || correct(one, other));
  }

  /// Whether it tells something by itself: not as a step to take, a condition, a plan or what
  /// another place has more on.
  [[nodiscard]] bool stands_alone(const Piece& piece) const {
    const bool old = has_one_of(piece.said, outdated_) || !piece.said.denied.empty();
    const bool plan = has_word(piece.text, "will");
    return piece.columns.empty() && !piece.advises && !old && !has_come_back(piece) &&
           !is_joined(piece) && !plan && !denies(piece.text) && !leans_on_another(piece.text) &&
           !refers_elsewhere(piece.text) &&
           ((is_sentence(piece) && is_statement(piece.text)) || subject_.leads(piece.text));
  }

  /// Whether it tells of an end after which a later page tells of a new beginning.
  [[nodiscard]] bool has_come_back(const Piece& piece) const {
    return tells_of_end(words(piece.text)) && std::ranges::any_of(pieces_, [&](const Piece& other) {
             return other.date > piece.date && subject_.names(other.text) > 0 &&
                    tells_of_reopening(words(other.text));
           });
  }

  /// The first sentences of the page on the topic, in its order, one of each paragraph.
  void open_with_definitions() {
    std::vector<const Piece*> found;
    std::size_t most = 1;
    for (const Piece& piece : pieces_) most = std::max(most, piece.named);
    for (const Piece& piece : pieces_) {
      if (piece.named == most && subject_.names(piece.text) > 0 && stands_alone(piece))
        found.push_back(&piece);
    }
    std::ranges::sort(found, {}, [](const Piece* one) { return one->place; });
    std::set<std::size_t> passages;
    for (const Piece* piece : lead_) passages.insert(piece->passage);
    for (const Piece* piece : found) {
      if (lead_.size() == lead_length || lead_.size() * 4 >= pieces_.size()) break;
      if (passages.insert(piece->passage).second) lead_.push_back(piece);
    }
  }

  void choose_lead() {
    open_with_answers();
    open_with_definitions();
    if (lead_.size() < 2) fill_lead();
    if (lead_.empty()) open_with_page();
    // What stands with other pages' words stays there, too.
    for (const Piece* piece : lead_) {
      if (!is_joined(*piece)) std::erase(groups_[key(*piece)].pieces, piece);
    }
  }

  [[nodiscard]] bool is_joined(const Piece& piece) const {
    return moved_.contains(&piece) || bound_.contains(&piece);
  }

  /// Whether something that is joined to it, or that it is joined to, is later.
  [[nodiscard]] bool has_later(const Piece& piece) const {
    return std::ranges::any_of(links_, [&](const auto& link) {
      const bool own = link.first == &piece || link.second == &piece;
      const Piece& other = link.first == &piece ? *link.second : *link.first;
      return own && other.date > piece.date;
    });
  }

  /// The sentences that answer the topic: they name what it is about, with what stands above them,
  /// and have an amount, a time or a step, as it asks for.
  void open_with_answers() {
    constexpr std::size_t most = 2;
    if (subject_.asks() == Asks::anything) return;
    std::vector<const Piece*> found;
    for (const Piece& piece : pieces_) {
      const auto own = subject_.names(piece.text);
      const bool most_of_it =
          subject_.covers(piece) * 3 >= subject_.size() * 2 || subject_.calls_by_name(piece.text);
      const bool about = most_of_it && (own > 0 || subject_.covers(piece) == subject_.size());
      const bool lone = !piece.stays && is_sentence(piece) && !leans_on_another(piece.text) &&
                        !denies(piece.text);
      const bool old = has_later(piece) || has_word(piece.text, "will");
      if (about && lone && !old && subject_.answers(piece)) found.push_back(&piece);
    }
    std::ranges::stable_sort(found, std::greater<>{}, [&](const Piece* one) {
      const auto first =
          subject_.asks() == Asks::way ? -static_cast<std::ptrdiff_t>(one->place) : 0;
      return std::tuple{subject_.covers(*one), subject_.names(one->text) > 0, one->date, first,
                        one->weight};
    });
    for (const Piece* piece : found) {
      if (lead_.size() < most) lead_.push_back(piece);
    }
  }

  /// With what a page that is named after the topic says first.
  void open_with_page() {
    constexpr std::size_t half_named = 500;
    const Piece* first = nullptr;
    for (const Piece& piece : pieces_) {
      const bool fits = piece.named >= half_named && stands_alone(piece);
      if (fits && (first == nullptr || piece.place < first->place)) first = &piece;
    }
    if (first != nullptr) lead_.push_back(first);
  }

  [[nodiscard]] bool asks_for_figure() const {
    return subject_.asks() == Asks::money || subject_.asks() == Asks::time;
  }

  /// With the few sentences that name most of the topic and bear most on it, each from a place of
  /// its own.
  void fill_lead() {
    const auto worth = [this](const Piece* one) {
      return std::pair{subject_.names(one->text), one->weight};
    };
    std::vector<const Piece*> ranked;
    for (const Piece& piece : pieces_) {
      if (stands_alone(piece)) ranked.push_back(&piece);
    }
    std::ranges::stable_sort(ranked, std::greater<>{}, worth);
    // What names much less than others is about something else.
    std::ptrdiff_t most = 0;
    for (const Piece& piece : pieces_) most = std::max(most, subject_.score(piece.text));
    std::set<Where> places;
    for (const Piece* piece : lead_) places.insert(place_of(*piece));
    for (const Piece* piece : ranked) {
      if (subject_.names(piece->text) == 0 || lead_.size() == lead_length ||
          lead_.size() * 4 >= pieces_.size())
        break;
      if (subject_.names(piece->text) * 2 < subject_.size() && !subject_.calls_by_name(piece->text))
        continue;
      // Whoever asks for a price or a time is not answered by the rest.
      if (asks_for_figure() && !subject_.answers(*piece)) continue;
      if (!subject_.calls_by_name(piece->text) && subject_.score(piece->text) * 3 <= most * 2)
        continue;
      if (places.insert(place_of(*piece)).second) lead_.push_back(piece);
    }
  }

  /// Of two pages, or of two days on one.
  [[nodiscard]] static bool are_apart(const Piece& one, const Piece& other) {
    return one.page != other.page ||
           (one.date != other.date && (correct(one, other) || revise(one, other)));
  }

  /// What a piece should stand beside, of another page.
  [[nodiscard]] const Piece* best_for(const Piece& piece) const {
    const Piece* best = nullptr;
    for (const Piece& other : pieces_) {
      if (!goes_to(piece, other)) continue;
      if (best == nullptr || likeness(piece, other) > likeness(piece, *best)) best = &other;
    }
    return best;
  }

  /// The group that a piece stands in now.
  [[nodiscard]] Key group_of(const Piece& piece) const {
    const auto found = moved_.find(&piece);
    return found == moved_.end() ? key(piece) : found->second;
  }

  /// Takes along what was joined to the piece.
  void move(const Piece& piece, const Key& group) {
    const Key from = group_of(piece);
    std::erase(groups_[from].pieces, &piece);
    std::erase(groups_[from].joined, &piece);
    groups_[group].joined.push_back(&piece);
    moved_[&piece] = group;
    for (const Piece* one : followers_[&piece]) {
      if (group_of(*one) == from) move(*one, group);
    }
  }

  void bind(const Piece& piece, const Piece& best) {
    move(piece, group_of(best));
    followers_[&best].push_back(&piece);
    links_.insert({&piece, &best});
    bound_.insert({&piece, &best});
    const auto [earlier, later] = std::minmax(
        {&piece, &best}, [](const Piece* a, const Piece* b) { return a->date < b->date; });
    if (earlier->date < later->date) add_outdated(outdated_, earlier->said, later->said);
  }

  void join() {
    for (auto& [where, group] : groups_) {
      std::ranges::sort(group.pieces, {}, [](const Piece* piece) { return piece->place; });
    }
    for (const Piece& piece : pieces_) {
      if (bound_.contains(&piece)) continue;
      if (const Piece* best = best_for(piece)) bind(piece, *best);
    }
    for (const Piece& piece : pieces_) {
      for (const Piece& other : pieces_) {
        if (!goes_to(piece, other) || group_of(piece) == group_of(other)) continue;
        if (!moved_.contains(&piece)) {
          bind(piece, other);
        } else if (!other.stays && !moved_.contains(&other)) {
          bind(other, piece);
        }
      }
    }
    // A group whose own pieces have all moved on has nothing left that others could have joined.
    std::erase_if(groups_, [](const auto& one) {
      return one.second.pieces.empty() && one.second.joined.empty();
    });
  }

  std::vector<std::string> topic_;
  Subject subject_;
  std::vector<Piece> pieces_;
  std::vector<const Piece*> lead_;
  std::set<const Piece*> bound_;       ///< those that were joined, and those that they joined
  std::map<const Piece*, Key> moved_;  ///< where they stand now
  std::map<const Piece*, std::vector<const Piece*>> followers_;  ///< what was joined to a piece
  std::set<std::pair<const Piece*, const Piece*>> links_;        ///< likewise
  Figures outdated_;
  std::map<Key, Place> groups_;
};

}  // namespace

Json report_on(const Json& input) {
  const Json& goals = input.at("goals");
  const Arranger arranger{goals, input.at("topic").get<std::string>()};
  Json sections = Json::array();
  for (std::size_t goal = 0; goal < goals.size(); ++goal) {
    sections.push_back({{"goal", goals[goal].at("id")},
                        {"heading", goals[goal].at("phrases").at(0)},
                        {"paragraphs", arranger.paragraphs(goal)}});
  }
  return {{"lead", arranger.lead()}, {"sections", std::move(sections)}};
}

}  // namespace research
