#include "insights/selection.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>

#include <nlohmann/json.hpp>
#include <resumable/codec.hpp>  // how std::optional<Json> is converted

#include "insights/broad.hpp"
#include "insights/clauses.hpp"
#include "insights/conversation.hpp"
#include "insights/direct.hpp"
#include "insights/phrases.hpp"
#include "insights/values.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

/// Of a specific answer: after how many words nothing is added, the lines that it has in any case
/// if there are as many, and those about what is named that nobody asked for.
struct Room {
  std::size_t words;
  std::size_t lines;
  std::size_t added;
};
constexpr Room room_beside_answer{250, 6, 3};
constexpr Room room_without_answer{400, 10, 4};  // nothing says exactly what is asked
constexpr double almost_straight = 0.9;          // of the variance that a line explains
constexpr double asked_for = 40;                 // more weight than what nobody asked for

/// The kind of a finding as questions ask for it.
std::string asked_as(const std::string& kind) { return kind == "no trend" ? "trend" : kind; }

/// Kinds of which the tools are asked only if the question wants them.
bool is_answer(const std::string& kind) {
  static const std::set<std::string> kinds{"compared", "often", "outcomes"};
  return kinds.contains(kind);
}

class Selecting {
 public:
  explicit Selecting(const Json& input)
      : input_(input),
        prompt_(input.at("prompt").get<std::string>()),
        asked_(words_in(without_exceptions(prompt_))),
        table_(input.at("context").at("table")),
        about_(interest_in(prompt_, table_)) {
    take(about_);
    for (const Json& other : table_.value("beside", Json::array())) {
      take(interest_in(prompt_, other));
    }
    leave_out_parts_of_names(columns_, asked_);
    static const std::set<std::string> weak{"when", "day", "week", "full", "empty"};
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      const std::string& word = asked_[i];
      if (!weak.contains(word) && words().asks.at("pattern").contains(word)) asks_pattern_ = true;
      if (word == "no" || words().has("denials", word)) denies_ = true;
      if (i > 0 && asked_[i - 1] == "when" && words().has("verbs", word)) asks_when_ = true;
    }
    direct_ = direct_calls(prompt_, table_, [this](const Json& call) { return result_of(call); });
    is_single_ = std::ranges::count(clauses_of(prompt_, table_), true, &Clause::asks) == 1;
    is_share_ = std::ranges::any_of(direct_, [](const Json& one) {
      return one.at("arguments").value("figure", "") == "share";
    });
    find_steps();
    is_vague_ = !about_.is_broad && is_vague();
    about_.is_broad = about_.is_broad || is_vague_;
  }

  Selection select() {
    std::vector<Weighed> all;
    std::set<std::string> said;
    for (const Json& exchange : input_.at("exchanges")) {
      for (const Json& made : exchange.value("calls", Json::array())) {
        for (Finding& one : findings_of(made.at("tool").get<std::string>(), made.at("result"))) {
          if (!said.insert(one.text).second) continue;
          const Bearing bearing = bearing_of(one, made);
          const bool is_answer = is_direct(made) && one.weight >= 0;
          const Part part = is_answer ? Part::answers : part_of(one, made.at("tool"));
          one.weight = weight_of(one, made);
          all.push_back({std::move(one), bearing, part});
        }
      }
    }
    std::ranges::stable_sort(all, [](const Weighed& a, const Weighed& b) {
      if (a.bearing != b.bearing) return a.bearing > b.bearing;
      return a.finding.weight > b.finding.weight;
    });
    if (!about_.is_broad) return specific(all);
    Selection selection =
        broad_selection(all, {asks_only_for("quality"), asks_only_for("unusual"), asks("unusual"),
                              asks("months"), is_vague_ && asks_for_figures()});
    selection.is_vague = is_vague_ && names_other_things();
    return selection;
  }

 private:
  void take(const Interest& about) {
    columns_.insert(about.said.begin(), about.said.end());
    categories_.insert(about.named.begin(), about.named.end());
    asks_.insert(about.asks.begin(), about.asks.end());
    has_per_ = has_per_ || !about.per.empty();
    for (const auto& [category, two] : about.compared) categories_.insert(category);
  }

  [[nodiscard]] std::optional<Json> result_of(const Json& call) const {
    for (const Json& exchange : input_.at("exchanges")) {
      for (const Json& made : exchange.value("calls", Json::array())) {
        const bool is_it =
            made.at("tool") == call.at("tool") && made.at("arguments") == call.at("arguments");
        if (is_it) return made.at("result");
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_direct(const Json& made) const {
    return std::ranges::any_of(direct_, [&](const Json& one) {
      return one.at("tool") == made.at("tool") && one.at("arguments") == made.at("arguments");
    });
  }

  static std::string place_of(const Json& result) {
    return result.value("variable", "") + result.value("where", Json::object()).dump();
  }

  /// The columns, with their values, that step to another level, or go along a straight line.
  void find_steps() {
    for (const Json& exchange : input_.at("exchanges")) {
      for (const Json& made : exchange.value("calls", Json::array())) {
        const Json& result = made.at("result");
        const std::string tool = made.at("tool");
        has_periods_ = has_periods_ || tool == "compare_periods";
        if (tool == "trend" && result.value("r2", 0.0) >= almost_straight)
          lines_.insert(place_of(result));
        // What steps in one part only goes along no line as a whole.
        const bool steps = tool == "find_change" && !result.value("changes", Json::array()).empty();
        if (steps) steps_.insert(place_of(result));
      }
    }
  }

  [[nodiscard]] bool asks(const std::string& kind) const { return asks_.contains(kind); }
  [[nodiscard]] bool asks_gaps() const { return asks("quality") || asks("quiet") || asks("gaps"); }

  /// Whether a column of figures is named; rows are none.
  [[nodiscard]] bool names_figures() const {
    const Json& first = table_.at("columns").at(0);
    return std::ranges::any_of(columns_, [&](const std::string& name) {
      return !first.contains("counts") || name != first.at("name");
    });
  }

  /// Whether nothing of the question is understood.
  [[nodiscard]] bool is_vague() const {
    static const std::set<std::string> precise{"months", "weeks", "weekdays", "late", "gaps"};
    const bool is_precise =
        std::ranges::any_of(precise, [this](const std::string& kind) { return asks(kind); });
    return columns_.empty() && categories_.empty() && direct_.empty() && about_.where.empty() &&
           !about_.bound && !has_periods_ && about_.from.empty() && !is_precise;
  }

  /// Whether it has words that are known from no question, and asks for no kind of findings but by
  /// `which` or `how many`.
  [[nodiscard]] bool names_other_things() const {
    static const std::set<std::string> any{"shares", "often", "statistics"};
    const bool has_kind =
        std::ranges::any_of(asks_, [](const std::string& kind) { return !any.contains(kind); });
    const auto is_known = [](const std::string& word) {
      const auto& kinds = words().asks;
      return words().has("stop", word) || words().has("general", word) ||
             std::ranges::any_of(kinds,
                                 [&](const auto& kind) { return kind.second.contains(word); });
    };
    return !has_kind && !std::ranges::all_of(asked_, is_known);
  }

  [[nodiscard]] bool says(const char* word) const {
    return std::ranges::find(asked_, word) != asked_.end();
  }

  /// Whether it asks for a number, or which of several; faults are no answer to that.
  [[nodiscard]] bool asks_for_figures() const {
    static const std::vector<const char*> words{"which", "who",  "whose", "where",
                                                "many",  "much", "often"};
    return !denies_ && !asks("quality") && !asks("quiet") &&
           std::ranges::any_of(words, [this](const char* word) { return says(word); });
  }

  /// Whether the question is about the column, or about all of them.
  [[nodiscard]] bool sees(const std::string& column) const {
    if (column.empty() || columns_.contains(column) || categories_.contains(column)) return true;
    if (!columns_.empty()) return false;
    const Json& first = table_.at("columns").at(0);
    const bool is_of_events = first.contains("counts") && !categories_.empty() && !says("much");
    if (is_of_events) return column == first.at("name");
    return std::ranges::find(about_.columns, column) != about_.columns.end();
  }

  /// Whether the question asks for this kind of finding.
  /// @param is_named  it is about a column or a category that the question names
  [[nodiscard]] bool is_wanted(const std::string& kind, bool is_named) const {
    if (kind == "rows") return false;
    if (kind == "runs") return asks(kind);
    if (kind == "gap") return asks_gaps();
    if (kind == "periods") return true;
    if (kind == "statistics" && has_periods_) return false;
    if (kind == "shares" || kind == "statistics") return is_named || asks(kind);
    if (kind == "ends" && denies_ && !is_share_) return true;
    if (kind == "quality" && denies_ && is_named) return true;
    return asks(asked_as(kind));
  }

  /// Two columns against each other, or how they move together.
  [[nodiscard]] Bearing of_pair(const Json& made) const {
    const Json& result = made.at("result");
    // One word may name two columns, as milk does `milk used`.
    const bool names_both =
        categories_.empty() || (columns_.contains(made.at("arguments").value("variable", "")) &&
                                columns_.contains(made.at("arguments").value("with", "")));
    if (!has_per_ && !names_both) return Bearing::none;
    const auto is_related = [](const Json& one) { return one.at("tool") == "related"; };
    if (is_related(made) && std::ranges::any_of(direct_, is_related)) return Bearing::none;
    if (made.at("tool") == "related") return asks("related") ? Bearing::direct : Bearing::asked;
    const std::string unit = result.value("unit", "");
    const bool is_one_unit = !unit.empty() && unit == result.value("with_unit", "");
    return has_per_ ? Bearing::direct : is_one_unit ? Bearing::asked : Bearing::none;
  }

  /// What was noted may say why; with words of the question also when, and what it was.
  [[nodiscard]] Bearing of_remarks(const Json& result) const {
    const bool asks_why = says("why") || says("reason") || says("cause") || says("happened");
    const auto words = result.at("words").get<std::size_t>();
    if (words > 0 && (asks_why || says("when"))) return Bearing::direct;
    return words > 1 || asks_why ? Bearing::asked : Bearing::none;
  }

  /// Whether a call that a clause asks for has computed the same: of these groups or periods.
  [[nodiscard]] bool is_computed(const Finding& finding, const Json& made) const {
    const Json& result = made.at("result");
    // Sums that are set against each other, where means are asked for.
    const bool is_of_sums =
        finding.kind == "compared" && made.at("tool") == "shares" && result.value("amount", false);
    if (finding.kind != "shares" && finding.kind != "periods" && !is_of_sums) return false;
    return std::ranges::any_of(direct_, [&](const Json& one) {
      const Json& asked = one.at("arguments");
      const Json measures = asked.value("measures", Json::array());
      const bool is_it = measures.empty() ? result.value("counts", false)
                                          : measures.front() == result.value("variable", "");
      if (one.at("tool") != "compute" || !is_it) return false;
      if (is_of_sums && asked.value("figure", "") != "mean") return false;
      return finding.kind == "periods" ? asked.contains("first")
                                       : asked.value("by", "") == result.value("by", "-");
    });
  }

  [[nodiscard]] Bearing bearing_of(const Finding& finding, const Json& made) const {
    const Json& result = made.at("result");
    const std::string& kind = finding.kind;
    const bool is_related = made.at("tool") == "related";
    if (kind == "compared" && is_computed(finding, made)) return Bearing::none;
    if (is_answer(kind)) return Bearing::direct;
    if (is_direct(made) && finding.weight >= 0) {
      const bool is_less =
          (kind == "days" && !asks("days")) || (kind == "statistics" && has_periods_);
      return is_less ? Bearing::filler : Bearing::direct;
    }
    if (is_computed(finding, made)) return Bearing::none;
    if (kind == "remarks") return of_remarks(result);
    const bool asks_gap = asks("gaps") || std::ranges::any_of(asked_, [](const std::string& word) {
                            return words().has("shut", word);
                          });
    if (kind == "ends" && finding.weight < 0 && asks("gaps")) return Bearing::none;
    if (kind == "gap" && (asks_gap || finding.weight < 0))
      return asks_gap ? Bearing::direct : Bearing::none;
    if (kind == "ratio" || (is_related && made.at("arguments").contains("with")))
      return of_pair(made);
    if (kind == "change" && lines_.contains(place_of(result))) return Bearing::none;
    if (kind == "no trend" && steps_.contains(place_of(result))) return Bearing::none;
    if (kind == "pattern" && !asks_pattern_ && finding.weight < 0) return Bearing::none;
    const std::string column =
        finding.variable.empty() ? result.value("variable", "") : finding.variable;
    // Mistakes are looked for everywhere, unless a column is named.
    const bool is_anywhere = asks("unusual") && (kind == "unusual" || kind == "quality");
    const bool is_seen = sees(column) || (is_anywhere && !names_figures());
    const std::string by = made.at("tool") == "pattern" ? "" : result.value("by", "");
    if (kind == "open" && asks("open") && (by.empty() || categories_.contains(by)))
      return Bearing::direct;
    if (!by.empty() && !categories_.contains(by)) {
      if (kind != "shares" || !is_seen || finding.weight < 0) return Bearing::none;
      return says("who") && categories_.empty() ? Bearing::asked : Bearing::filler;
    }
    if (!is_seen) return Bearing::none;
    const bool is_named = !by.empty() || columns_.contains(column) || categories_.contains(column);
    // Who asks how long one of them takes does not ask for the others.
    const bool asks_groups = asks("shares") || (asks("averages") && !about_.where.contains(by));
    if (kind == "shares" && !by.empty() && columns_.contains(column) && asks_groups &&
        !asks("open"))
      return Bearing::direct;
    const bool is_of_hours = made.at("tool") == "pattern" && result.value("by", "") == "hour" &&
                             result.contains("explains");
    if (kind == "pattern" && asks("pattern") && !asks_pattern_ && !is_of_hours)
      return Bearing::filler;
    if (kind == "averages" && asks(kind)) return Bearing::direct;
    if (kind == "change" && says("when") && asks(kind) && columns_.contains(column))
      return Bearing::direct;
    if (is_wanted(kind, is_named)) return Bearing::asked;
    const bool asks_course =
        (asks("trend") || asks("change")) && !steps_.contains(place_of(result));
    if (kind == "months" && (asks_course || asks_when_)) return Bearing::asked;
    if (finding.weight < 0) return Bearing::none;
    const bool is_mistake = kind == "unusual" && made.at("tool") == "find_faults";
    const bool is_course = kind == "trend" && (!steps_.contains(place_of(result)) ||
                                               lines_.contains(place_of(result)));
    if (kind == "change" || is_mistake || is_course) return Bearing::beside;
    return kind == "related" || kind == "days" || kind == "statistics" || kind == "months"
               ? Bearing::filler
               : Bearing::none;
  }

  /// What is told first: what is named.
  [[nodiscard]] double weight_of(const Finding& finding, const Json& made) const {
    const std::string by = made.at("result").value("by", "");
    const bool is_grouped = categories_.contains(by) && finding.kind != "peaks";
    const bool is_very =
        made.at("tool") == "compute" || (made.at("tool") == "how_often" && is_direct(made));
    double weight = finding.weight + (is_very ? 5 * asked_for : 0);
    if (about_.is_broad && weight < 0) return weight;
    if (is_grouped || asks(asked_as(finding.kind))) weight += asked_for;
    if (finding.kind == "averages" && asks(finding.kind)) weight += 100;
    const bool is_named = columns_.contains(made.at("result").value("variable", ""));
    if (finding.kind == "statistics" && about_.is_broad) {
      weight += 100;  // the first of the figures
    } else if (finding.kind == "statistics") {
      if (asks("statistics") && !categories_.empty() && !columns_.empty()) weight -= asked_for;
      if (is_named) weight = std::max(weight, 70.0);
    }
    // What is missing as a whole comes before single cells; what is open before all amounts.
    if (finding.kind == "days" && !asks("days")) weight -= asked_for;
    if (finding.kind == "months" && asks_when_) weight += asked_for;
    if (finding.kind == "gap" && asks_gaps()) weight += asked_for;
    if (finding.kind == "open" && asks("open"))
      weight += columns_.contains(finding.variable) ? 2 * asked_for : asked_for / 2;
    return weight;
  }

  /// What answers the question, then what has happened to what it is about, then figures, as long
  /// as the answer is short.
  [[nodiscard]] Selection specific(std::vector<Weighed>& all) const {
    const bool is_answered = !all.empty() && all.front().bearing == Bearing::direct;
    const Room room = is_answered ? room_beside_answer : room_without_answer;
    Selection selection;
    std::vector<Finding> figures;
    std::size_t words = 0;
    std::size_t beside = 0;
    for (Weighed& one : all) {
      const std::size_t lines = selection.told.size() + figures.size();
      const bool is_beside = one.bearing == Bearing::beside && ++beside > room.added;
      const bool is_full = one.bearing == Bearing::filler
                               ? lines >= room.lines
                               : words >= room.words && lines >= room.lines;
      // Who asks one thing, which is answered, asks for no other categories, nor for what else
      // moves with it.
      const bool is_more = is_answered && is_single_ && one.bearing == Bearing::filler &&
                           (one.finding.kind == "shares" || one.finding.kind == "related");
      if (one.bearing == Bearing::none || is_beside || is_full || is_more) {
        ++selection.left_out;
        continue;
      }
      words += count_words(one.finding.text);
      auto& section = is_finding(one, is_answered) ? selection.told : figures;
      section.push_back(std::move(one.finding));
    }
    selection.figures = selection.told.size();
    std::ranges::move(figures, std::back_inserter(selection.told));
    return selection;
  }

  /// Whether it answers the question, or says what has happened; all else are figures.
  /// @param is_answered  something says exactly what is asked
  [[nodiscard]] bool is_finding(const Weighed& one, bool is_answered) const {
    if (one.bearing == Bearing::direct || one.part != Part::figures) return true;
    // Beside an exact answer, sums and means of what it is about are more than was asked for.
    static const std::set<std::string> plain{"statistics", "days",  "shares",   "averages", "peaks",
                                             "months",     "weeks", "weekdays", "counts"};
    const bool is_more = is_answered && plain.contains(one.finding.kind);
    return one.bearing == Bearing::asked && !is_more;
  }

  /// Whether only what is wrong, or odd, is asked for, and not how it is going as well.
  [[nodiscard]] bool asks_only_for(const std::string& kind) const {
    const std::vector<Clause> clauses = clauses_of(prompt_, table_);
    const bool is_only = std::ranges::all_of(
        clauses, [&](const Clause& one) { return !one.asks || one.about.asks.contains(kind); });
    return asks(kind) && !says("how") && !names_figures() && is_only;
  }

  const Json& input_;
  const std::string prompt_;
  const std::vector<std::string> asked_;
  const Json& table_;
  Interest about_;
  std::set<std::string> columns_;
  std::set<std::string> categories_;
  std::set<std::string> asks_;
  std::set<std::string> steps_;
  std::set<std::string> lines_;
  std::vector<Json> direct_;
  bool is_vague_ = false;
  bool asks_pattern_ = false;
  bool denies_ = false;
  bool is_share_ = false;
  bool is_single_ = false;  ///< it asks one thing
  bool asks_when_ = false;
  bool has_per_ = false;
  bool has_periods_ = false;
};

}  // namespace

Selection selection_of(const Json& input) { return Selecting{input}.select(); }

}  // namespace insights
