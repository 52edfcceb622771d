#include "research/units.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <utility>

#include "research/agreement.hpp"
#include "research/dates.hpp"
#include "research/figures.hpp"
#include "research/html_text.hpp"
#include "research/leaning.hpp"
#include "research/measures.hpp"
#include "research/text.hpp"

namespace research {
namespace {

constexpr std::size_t longest = 480;       ///< bytes of a sentence
constexpr std::size_t longest_pair = 560;  ///< of one with those that lean on it
constexpr std::size_t fewest_words = 4;    ///< of a sentence
constexpr std::size_t most_item_words = 40;
constexpr std::size_t most_lead_in_words = 15;

using Words = std::vector<std::string>;

bool speaks_as_i(const Words& words) { return std::ranges::find(words, "i") != words.end(); }

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

/// A piece of a quotation or of a bracket is no sentence.
bool is_balanced(const std::string& text) {
  return count(text, "(") == count(text, ")") && count(text, "\"") % 2 == 0 &&
         count(text, "\u201C") == count(text, "\u201D");
}

/// `--force`, `ignore-case`: a name, and nothing that is said of it.
bool is_name(const std::string& text) {
  std::istringstream stream{text};
  std::size_t plain = 0;
  for (std::string one; stream >> one;) plain += one.starts_with('-') ? 0U : 1U;
  return plain < 2 && !has_figure(words(text));
}

/// A heading above links, or above what only says where to write to.
bool is_about_links(const std::string& heading) {
  static const std::set<std::string_view> headings{
      "see also",   "related", "further reading", "read more",  "links",        "external links",
      "references", "more",    "where to go",     "where next", "on this site", "contact",
      "contact us", "imprint", "how to reach us"};
  std::string all;
  for (const std::string& word : words(heading)) all += (all.empty() ? "" : " ") + word;
  return headings.contains(all);
}

/// `Moor A., Lind B. (2023): …`, `Moor A. et al. (2023) …`: a text that is listed, and no
/// statement.
bool is_reference(const std::string& text) {
  static const std::regex pattern{
      R"(^[^.:;()]{2,30}( [A-Z]\.?|,? et al\.)[^:;()]{0,120} \((1[6-9]|20)[0-9]{2}[a-z]?\)[:.,]? )"};
  return std::regex_search(text, pattern);
}

/// The line at the foot of a page that says whose it is.
bool is_copyright(const std::string& text) {
  return text.find("\u00A9") != text.npos && words(text).size() <= 20;
}

/// `Total: £27,850.`
bool is_labelled_figure(const std::string& sentence, const Words& words) {
  return words.size() > 1 && !label_at_start(sentence).empty() && has_figure(words);
}

/// Whether it is worth to be quoted at all.
bool tells(const std::string& sentence, const Words& words) {
  const bool is_short = words.size() < fewest_words && !is_labelled_figure(sentence, words);
  if (is_short || sentence.size() > longest) return false;
  const bool asks = sentence.find('?') != sentence.npos;
  const bool thanks = words[0] == "thanks" || words[0] == "thank";
  return !asks && !thanks && !points_away(words) && is_balanced(sentence) &&
         sentence.find('@') == sentence.npos;
}

std::string as_it_is(std::string text) { return text; }

std::string without_dates(std::string text) {
  auto figures = figures_in(text);
  std::erase_if(figures, [](const Figure& figure) { return figure.unit != "date"; });
  std::ranges::reverse(figures);
  for (const Figure& date : figures) text.erase(date.begin, date.end - date.begin);
  return text;
}

/// Items, rows and paragraphs that stand on more than a third of the pages, at least three: the
/// frame of a site, not what a page says.
/// @param form  what is compared of a text
std::set<std::string> frame_of(const Scrape& scrape, std::string form(std::string)) {
  std::map<std::string, std::size_t> pages_with;
  for (const Page& page : scrape.pages) {
    std::set<std::string> own;
    for (const Passage& passage : page.passages) own.insert(form(passage.text));
    for (const std::string& text : own) ++pages_with[text];
  }
  std::set<std::string> frame;
  for (const auto& [text, count] : pages_with) {
    if (count >= 3 && count * 3 > scrape.pages.size()) frame.insert(text);
  }
  return frame;
}

/// What a list of links names: the pages, what stands below their headings, and the site.
std::set<std::string> titles_of(const Scrape& scrape) {
  std::set<std::string> titles;
  for (const Page& page : scrape.pages) {
    titles.insert(page.title);
    for (const std::string_view sign : {" \u2013 ", " - ", " | "}) {
      titles.insert(page.title.substr(0, page.title.find(sign)));
    }
    for (const Passage& passage : page.passages) titles.insert(passage.heading);
  }
  return titles;
}

/// `Winter work.` of `Winter work. Mrs Lund showed …`: a heading that stands in its paragraph.
std::string run_in_of(const Passage& passage) {
  constexpr std::size_t most_words = 3;
  const std::string& text = passage.text;
  const auto all = sentences(text);
  if (all.size() < 2 || !text.starts_with(all[0]) || !all[0].ends_with('.')) return {};
  static const std::set<std::string_view> before{"the", "a", "any", "other", "our"};
  const Words said = words(all[0]);
  if (said.size() > most_words || has_figure(said)) return {};
  const auto name =
      std::ranges::find_if_not(said, [](const auto& word) { return before.contains(word); });
  const bool named = name != said.end() && std::none_of(name, said.end(), is_stop_word);
  return named ? all[0].substr(0, all[0].size() - 1) : std::string{};
}

class Cutter {
 public:
  explicit Cutter(const Scrape& scrape)
      : scrape_(scrape),
        frame_(frame_of(scrape, as_it_is)),
        dated_frame_(frame_of(scrape, without_dates)),
        titles_(titles_of(scrape)) {}

  std::vector<Unit> cut() {
    for (page_ = 0; page_ < scrape_.pages.size(); ++page_) {
      ++section_;
      heading_.clear();
      page_measure_.clear();
      first_section_ = section_ + 1;
      const auto& all = scrape_.pages[page_].passages;
      has_run_ins_ = std::ranges::count_if(
                         all, [](const Passage& one) { return !run_in_of(one).empty(); }) > 1;
      for (const Passage& passage : scrape_.pages[page_].passages) {
        if (passage.heading != std::exchange(heading_, passage.heading)) {
          ++section_;
          lead_in_.clear();
          measure_.clear();
        }
        const bool frame = frame_.contains(passage.text) || is_about_links(heading_);
        if (!frame) take(passage);
      }
    }
    return std::move(units_);
  }

 private:
  /// Near the beginning or at the end of a page, a name with a date is who wrote it, or where.
  static bool is_byline_of(const Passage& passage, const std::vector<Passage>& all) {
    constexpr std::ptrdiff_t first = 3;
    const auto at = &passage - all.data();
    const bool outside = at < first || at + 1 == std::ssize(all);
    return !passage.is_row && passage.columns.empty() && outside && names_writer(passage.text);
  }

  void take(const Passage& passage) {
    ++passage_;
    if (std::string unit = passage.is_row ? "" : measure_in(passage.text); !unit.empty()) {
      (section_ <= first_section_ ? page_measure_ : measure_) = std::move(unit);
    }
    question_.clear();
    run_in_ = has_run_ins_ ? run_in_of(passage) : "";
    date_ = date_within(passage, scrape_.pages[page_].date);
    if (passage.is_link || is_reference(passage.text) || is_copyright(passage.text)) return;
    leads_on_ = is_signpost(passage.text) || is_signpost(passage.columns) ||
                is_byline(passage.text) || is_byline_of(passage, scrape_.pages[page_].passages);
    const std::string lead_in = std::exchange(lead_in_, {});
    const bool teaser = date_in(passage.text) && is_link(passage.text);
    if (teaser && !passage.is_row) return;
    if (passage.is_row) return add(passage.text, passage.columns, true, false);
    const auto all = sentences(passage.text);
    columns_ = passage.columns;
    if (is_definition(passage.text, passage.columns)) return take_definition(passage.text, all);
    const std::string dated = passage.text.substr(0, passage.text.find(" \u00B7 "));
    const bool listed = !lead_in.empty() && !lower(dated).starts_with("last ");
    if (!listed && is_dateline(dated)) return;
    if (passage.text.ends_with(':')) lead_in_ = passage.text;
    if (all.empty()) return take_item(columns_.empty() ? lead_in : columns_, passage.text);
    if (!columns_.empty() && is_whole(passage.text, all)) {
      return add(passage.text, columns_, false, true);
    }
    Run run;
    for (const std::string& sentence : all) {
      if (sentence.ends_with('?')) question_ = sentence;
      const Words of_it = words(sentence);
      const bool goes_on = sentence[0] >= 'a' && sentence[0] <= 'z' && is_joined_on(of_it);
      if (is_dateline(sentence) || is_signed(sentence) || (goes_on && columns_.empty())) continue;
      const bool away = points_away(of_it) || is_signpost(sentence) || names_next(sentence) ||
                        ends_with_title(sentence);
      const bool told = tells(sentence, of_it) && !away;
      const bool leaning = leans(of_it);
      const bool figure = has_figure(of_it);
      const auto before = leaning && run.text.empty() ? named_before() : std::nullopt;
      const bool known = !leaning || !run.text.empty() || is_known(of_it, before) ||
                         !said_of(sentence).denied.empty();
      const bool is_worth = told && (!leaning || figure) && known;
      const std::string joined = run.text + " " + sentence;
      const bool fits = joined.size() <= longest_pair && passage.text.find(joined) != joined.npos;
      const bool alone = is_joined_on(of_it) && !said_of(sentence).figures.empty();
      // `And the old engine? It stays.`: what follows may need it.
      const bool context = !run.is_worth && speaks_of_else(of_it);
      const bool needed = run.is_worth || context || (is_worth && !alone);
      if (told && leaning && needed && !run.text.empty() && fits) {
        run.text = joined;
      } else {
        end(run);
        run.text = is_balanced(sentence) && !away ? sentence : "";
        run.before = speaks_of_else(of_it) ? named_before() : std::nullopt;
      }
      run.is_worth = run.is_worth || is_worth;
      run.has_figure = run.has_figure || figure;
      run.is_own = run.is_own || speaks_as_i(of_it);
    }
    end(run);
  }

  /// Whether a reader knows what the first word means: `It` and `Its` by the heading, `They` only
  /// by what stands before.
  [[nodiscard]] bool is_known(const Words& words, std::optional<std::size_t> before) const {
    const bool it = words.front() == "it" || words.front() == "its";
    if (speaks_of_else(words)) return before || (it && !heading_.empty());
    return !points_back(words);
  }

  /// What was said last in the paragraph, or first in the one before: it has the noun.
  [[nodiscard]] std::optional<std::size_t> named_before() const {
    if (units_.empty()) return std::nullopt;
    std::size_t at = units_.size() - 1;
    const auto passage = units_[at].passage;
    const bool near = units_[at].section == section_ && passage + 1 >= passage_;
    if (!near || !units_[at].is_sentence) return std::nullopt;
    if (passage == passage_) return at;
    while (at > 0 && units_[at - 1].passage == passage) --at;
    return at;
  }

  /// An item of a list in whole sentences is one thought.
  static bool is_whole(const std::string& text, const std::vector<std::string>& all) {
    std::string joined;
    for (const std::string& one : all) joined += (joined.empty() ? "" : " ") + one;
    return joined == text && text.size() <= longest_pair && tells(all[0], words(all[0]));
  }

  /// A sentence with those that lean on it. One that leans on what is not worth to be quoted by
  /// itself, such as a question, brings that with it if it has a figure.
  struct Run {
    std::string text;
    bool is_worth = false;
    bool has_figure = false;
    bool is_own = false;  ///< the writer says `I`
    std::optional<std::size_t> before{};
  };

  /// What a writer says of himself tells something only with a figure.
  void end(Run& run) {
    if (run.is_worth && (run.has_figure || !run.is_own)) {
      add(run.text, columns_, false, true);
      units_.back().before = run.before;
    }
    run = {};
  }

  /// What is said of a term first, as it says what it is; not where to read more.
  void take_definition(const std::string& text, const std::vector<std::string>& all) {
    std::string first;
    for (const std::string& sentence : all) {
      const std::string joined = first + (first.empty() ? "" : " ") + sentence;
      const bool fits = first.empty() || words(joined).size() <= most_item_words;
      if (!fits || points_away(words(sentence)) || !text.starts_with(joined)) break;
      first = joined;
    }
    if (words(text).size() <= most_item_words && all.empty()) first = text;
    if (!first.empty() && !first.ends_with(':')) add(std::move(first), columns_, true, false);
  }

  /// An item of a list, or a line of text, that is no whole sentence; of a list of links none.
  /// The words that lead to a list belong to each of its items.
  void take_item(const std::string& lead_in, const std::string& text) {
    const std::size_t count = words(text).size();
    const bool leads_in = text.ends_with(':') || text.find('?') != text.npos;
    const bool leads = leads_in || is_link(text) || names_next(text);
    if (count < 2 || count > most_item_words || leads || is_name(text)) return;
    if (repeats_heading(text) || (text.find(": ") != text.npos && ends_with_title(text))) return;
    const bool short_enough = words(lead_in).size() <= most_lead_in_words;
    lead_in_ = lead_in;
    add(text, short_enough ? lead_in : "", false, false);
  }

  /// `How much` below `How much you can get`.
  [[nodiscard]] bool repeats_heading(const std::string& text) const {
    return lower(heading_ + " ").starts_with(lower(text) + " ");
  }

  /// `About us: the company.`, `Start with Your first day.`, or only the title.
  [[nodiscard]] bool ends_with_title(const std::string& text) const {
    const std::string all = " " + lower(text.substr(0, text.find_last_not_of('.') + 1));
    return words(all).size() < 8 && std::ranges::any_of(scrape_.pages, [&](const Page& page) {
             const std::string title = " " + lower(page.title);
             return title.size() > 1 && all.ends_with(title) &&
                    !has_figure(words(all.substr(0, all.size() - title.size())));
           });
  }

  /// `Next: The wheel`, with the title of a page.
  [[nodiscard]] bool names_next(const std::string& text) const {
    static const std::set<std::string_view> labels{"next", "previous", "up", "back", "more"};
    if (!labels.contains(label_at_start(text))) return false;
    const std::string rest = text.substr(std::min(text.size(), text.find(':') + 2));
    return std::ranges::any_of(titles_, [&](const std::string& title) {
      return title.size() > 1 && rest.starts_with(title);
    });
  }

  /// The title of a page, or a heading, with no more than a date around it.
  [[nodiscard]] bool is_link(const std::string& text) const {
    return std::ranges::any_of(titles_, [&](const std::string& title) {
      const auto at = title.empty() ? text.npos : text.find(title);
      return at != text.npos && is_only_date(text.substr(0, at)) &&
             is_only_date(text.substr(at + title.size()));
    });
  }

  void add(std::string text, std::string columns, bool is_row, bool is_sentence) {
    const std::size_t count = words(with_term(text, columns)).size();
    std::string line = without_dates(text);
    if (!dated_frame_.contains(line)) line.clear();
    const std::string& heading = run_in_.empty() ? heading_ : run_in_;
    units_.push_back({page_, section_, passage_, heading, std::move(text), std::move(columns),
                      date_, is_row, is_sentence, count, std::move(line)});
    units_.back().leads_on = leads_on_;
    if (is_row) units_.back().measure = measure_.empty() ? page_measure_ : measure_;
    if (is_sentence) units_.back().question = question_;
  }

  const Scrape& scrape_;
  const std::set<std::string> frame_;
  const std::set<std::string> dated_frame_;  ///< without the dates
  const std::set<std::string> titles_;
  std::vector<Unit> units_;
  std::size_t page_ = 0;
  std::size_t section_ = 0;
  std::size_t passage_ = 0;
  std::string date_;
  std::string lead_in_;  ///< the passage before, if it ends with a colon
  std::string columns_;  ///< of the passage
  std::string heading_;
  std::string measure_;       ///< of the section
  std::string page_measure_;  ///< of the page
  std::size_t first_section_ = 0;
  std::string run_in_;    ///< the heading that stands in the passage
  std::string question_;  ///< that the passage asks
  bool has_run_ins_ = false;
  bool leads_on_ = false;  ///< the passage
};

}  // namespace

std::vector<Unit> units_of(const Scrape& scrape) { return Cutter{scrape}.cut(); }

bool is_row(const std::string& text, const std::string& columns) {
  return columns.find(" | ") != columns.npos && text.find(" | ") != text.npos;
}

bool is_definition(const std::string& text, const std::string& columns) {
  return !columns.empty() && !columns.ends_with(':') && !is_row(text, columns);
}

std::string with_term(const std::string& text, const std::string& columns) {
  return is_definition(text, columns) ? columns + " | " + text : text;
}

Seek kind_of(const Unit& unit) {
  static constexpr std::array<std::string_view, 12> signs{
      " should ",   " must ",         " need to ", " recommend ", " make sure ", " do not ",
      " consider ", " important to ", " try to ",  " avoid ",     " ensure ",    " please "};
  static const std::set<std::string_view> orders{
      "add",    "allow", "always", "ask",     "avoid", "book",   "bring",   "build",
      "call",   "check", "choose", "clean",   "close", "cover",  "cut",     "don",
      "ensure", "fill",  "fit",    "follow",  "give",  "hold",   "keep",    "leave",
      "let",    "line",  "make",   "measure", "mix",   "move",   "never",   "open",
      "pay",    "place", "press",  "put",     "read",  "remove", "replace", "send",
      "set",    "show",  "start",  "stop",    "store", "switch", "take",    "tell",
      "turn",   "use",   "wait",   "wash",    "wear",  "wipe",   "write"};
  if (!unit.is_sentence) return Seek::reports;
  const auto all = words(unit.text);
  std::string text = " ";
  for (const std::string& word : all) text += word + " ";
  const bool advises = orders.contains(all.front()) || std::ranges::any_of(signs, [&](auto sign) {
                         return text.find(sign) != std::string::npos;
                       });
  return advises ? Seek::advice : Seek::reports;
}

std::size_t words_of(const Page& page) {
  std::size_t count = 0;
  for (const Passage& passage : page.passages) count += words(passage.text).size();
  return count;
}

std::size_t count_words(const Passage& passage) {
  return count_words(with_term(passage.text, passage.columns));
}

bool is_start(const Scrape& scrape, const Page& page) {
  const auto below = std::ranges::count_if(scrape.pages, [&](const Page& other) {
    return page.path.ends_with('/') && other.path.starts_with(page.path);
  });
  return 2 * below > std::ssize(scrape.pages);
}

}  // namespace research
